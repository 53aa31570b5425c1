import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { afterEach, describe, test } from 'node:test';
import { eventually } from '../../../test/support/index.ts';
import { createLive, type Live } from './live.ts';

const TIMES = { pollMs: 5, checkMs: 5, heartbeatMs: 60_000 };

const opened: Live[] = [];
afterEach(() => {
  for (const live of opened.splice(0)) live.close();
});

/** Streams over figures that a test sets. */
function scene(times: Partial<typeof TIMES> = {}) {
  const figures: Record<string, Record<string, number>> = {};
  const polls: string[] = [];
  const warnings: string[] = [];
  const state = { isAway: false };
  const live = createLive({
    times: { ...TIMES, ...times },
    log: { warn: (_details, message) => void warnings.push(message) },
    async extentOf(accountId) {
      polls.push(accountId);
      if (state.isAway) throw new Error('the store is away');
      const entries = Object.entries(figures[accountId] ?? {});
      return new Map(entries.map(([metric, n]) => [metric, String(n)]));
    },
  });
  opened.push(live);
  const watch = (accountId = 'a', { person = 'p', stillMay = async () => true } = {}) =>
    live.watch({ person: { id: person }, accountId, stillMay });
  return { live, watch, figures, polls, warnings, state };
}

/** What came so far. */
function textOf(stream: Readable): () => string {
  let text = '';
  stream.on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}

const has = (text: () => string, part: string) =>
  eventually(() => assert.ok(text().includes(part), text()));

describe('a stream', () => {
  test('says that it is ready, and then what has changed', async () => {
    const { watch, figures } = scene();
    figures.a = { leads: 4 };
    const text = textOf(watch());
    await has(text, 'event: ready\n');
    assert.doesNotMatch(text(), /changed/);
    figures.a = { leads: 5, requests: 1 };
    await has(text, 'event: changed\ndata: {"what":["leads","requests"]}\n\n');
  });

  test('hears nothing of another account', async () => {
    const { watch, figures } = scene();
    const [ours, theirs] = [textOf(watch('a')), textOf(watch('b'))];
    await Promise.all([has(ours, 'ready'), has(theirs, 'ready')]);
    figures.b = { leads: 1 };
    await has(theirs, 'changed');
    assert.doesNotMatch(ours(), /changed/);
  });

  test('costs its account one look at a time, however many watch', async () => {
    const { watch, polls } = scene({ pollMs: 60_000 });
    const texts = Array.from({ length: 10 }, (_, i) => textOf(watch('a', { person: String(i) })));
    for (const text of texts) await has(text, 'ready');
    const late = textOf(watch());
    await has(late, 'ready');
    assert.equal(polls.length, 1);
  });

  test('goes on when the store was away, and tells what changed meanwhile', async () => {
    const { watch, figures, warnings, state } = scene();
    const text = textOf(watch());
    await has(text, 'ready');
    state.isAway = true;
    await eventually(() => assert.ok(warnings.length > 1));
    figures.a = { deliveries: 1 };
    state.isAway = false;
    await has(text, '{"what":["deliveries"]}');
  });

  test('carries a comment now and then, so that nobody between takes it for dead', async () => {
    const { watch } = scene({ heartbeatMs: 5 });
    await has(textOf(watch()), '\n:\n\n:\n\n');
  });

  for (const [why, stillMay] of [
    ['session or membership has ended', async () => false],
    ['it cannot be said whether they have', async () => Promise.reject(new Error('away'))],
  ] as const) {
    test(`ends when ${why}`, async () => {
      const stream = scene().watch('a', { stillMay });
      textOf(stream);
      await once(stream, 'end');
    });
  }

  test('is cut where its reader is too slow, and the others go on', async () => {
    const { watch, figures } = scene({ pollMs: 1 });
    const slow = watch('a', { person: 'slow' });
    const text = textOf(watch('a', { person: 'quick' }));
    figures.a = { leads: 0 };
    const rising = setInterval(() => {
      // A name that is long, so that the buffer is full soon.
      figures.a = { [`${'m'.repeat(4_000)}${text().length}`]: text().length };
    }, 1);
    try {
      await eventually(() => assert.ok(slow.destroyed));
      const before = text().length;
      await eventually(() => assert.ok(text().length > before));
      assert.ok(slow.readableLength < 64 * 1024);
    } finally {
      clearInterval(rising);
    }
  });

  test('is the 21st of a person: refused, until one of them is closed', async () => {
    const { watch } = scene();
    const streams = Array.from({ length: 20 }, () => watch());
    assert.throws(() => watch(), { status: 429, code: 'too_many_streams' });
    watch('a', { person: 'another' });
    streams[0]?.destroy();
    await eventually(() => watch());
  });

  test('that nobody reads any more is forgotten, and its account is not looked at again', async () => {
    const { watch, polls } = scene({ pollMs: 1 });
    const stream = watch();
    const far = new PassThrough().resume();
    stream.pipe(far);
    await eventually(() => assert.ok(polls.length > 2));
    stream.destroy();
    await once(stream, 'close');
    const text = textOf(watch('b'));
    await has(text, 'ready');
    const looked = () => polls.filter((account) => account === 'a').length;
    const before = looked();
    const others = polls.length;
    await eventually(() => assert.ok(polls.length > others + 5));
    assert.ok(looked() <= before + 1);
  });
});

test('when the service stops all streams end, and there are no new ones', async () => {
  const { live, watch } = scene();
  const streams = [watch('a'), watch('b')];
  for (const stream of streams) textOf(stream);
  const ends = streams.map((stream) => once(stream, 'end'));
  live.close();
  await Promise.all(ends);
  assert.throws(() => watch(), { status: 503 });
});
