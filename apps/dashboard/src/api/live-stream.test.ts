import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { type Changing, type LiveState, listenWhileVisible } from './live-stream.ts';

/** As a browser has it: errors either are followed by a new connection, or leave it closed. */
class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: FakeSource[] = [];
  readonly address: string;
  readyState = 0;
  constructor(address: string) {
    super();
    this.address = address;
    FakeSource.opened.push(this);
  }
  close() {
    this.readyState = FakeSource.CLOSED;
  }
  say(type: string, data?: object) {
    this.dispatchEvent(Object.assign(new Event(type), { data: JSON.stringify(data) }));
  }
  fail({ isRefused }: { isRefused: boolean }) {
    this.readyState = isRefused ? FakeSource.CLOSED : 0;
    this.say('error');
  }
}

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
function show(visibilityState: 'visible' | 'hidden') {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event('visibilitychange'));
}

const before = { EventSource: globalThis.EventSource, document: globalThis.document };
let states: LiveState[] = [];
let changes: (readonly Changing[])[] = [];
let stop: () => void;

beforeEach(() => {
  Object.assign(globalThis, { EventSource: FakeSource, document: page });
  mock.timers.enable({ apis: ['setTimeout'] });
  [states, changes, FakeSource.opened] = [[], [], []];
  page.visibilityState = 'visible';
  stop = listenWhileVisible('/live', {
    onState: (state) => void states.push(state),
    onChanged: (what) => void changes.push(what),
  });
});
afterEach(() => {
  stop();
  mock.timers.reset();
  Object.assign(globalThis, before);
});

const newest = () => FakeSource.opened.at(-1) as FakeSource;
const open = () => FakeSource.opened.filter(({ readyState }) => readyState !== FakeSource.CLOSED);
const ALL = ['leads', 'requests', 'deliveries'];

describe('the page', () => {
  test('hears what changes, and reads all again when a connection begins', () => {
    newest().say('ready', {});
    newest().say('changed', { what: ['leads'] });
    assert.deepEqual(states, ['live']);
    assert.deepEqual(changes, [ALL, ['leads']]);
  });

  test('has no connection while it is hidden, and one when it is seen again', () => {
    show('hidden');
    assert.equal(open().length, 0);
    mock.timers.tick(600_000);
    assert.equal(open().length, 0);
    show('visible');
    assert.equal(open().length, 1);
  });

  test('leaves it to the browser to connect again after a cut', () => {
    newest().say('ready', {});
    newest().fail({ isRefused: false });
    mock.timers.tick(600_000);
    assert.equal(FakeSource.opened.length, 1);
    newest().say('ready', {});
    assert.deepEqual(states, ['live', 'offline', 'live']);
  });

  test('tries again by itself where it was refused, later each time, and soon again once it was let in', () => {
    const waits: number[] = [];
    for (let n = 0; n < 6; n++) {
      const count = FakeSource.opened.length;
      newest().fail({ isRefused: true });
      let waited = 0;
      for (; FakeSource.opened.length === count; waited++) mock.timers.tick(1_000);
      waits.push(waited);
    }
    assert.deepEqual(waits, [2, 4, 8, 16, 30, 30]);
    assert.deepEqual(changes[0], ALL);
    newest().say('ready', {});
    newest().fail({ isRefused: true });
    const count = FakeSource.opened.length;
    mock.timers.tick(2_000);
    assert.equal(FakeSource.opened.length, count + 1);
  });

  test('that is left has no connection, and opens none', () => {
    newest().fail({ isRefused: true });
    stop();
    mock.timers.tick(600_000);
    show('visible');
    assert.equal(open().length, 0);
  });
});
