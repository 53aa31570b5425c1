import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DeadlineError } from './index.ts';
import { LEAD, openScene } from './testing/scene.ts';
import { failure, type Step } from './testing/scripted-server.ts';

const { server, client } = await openScene();
const unavailable = failure(503, 'unavailable');
const conflict = failure(409, 'conflict');
const read = (n: number): Step => ({
  status: 200,
  headers: { etag: `"${n}"` },
  body: { ok: true, lead: { ...LEAD, id: 'uuid-1', custom_fields: { n } } },
});
const written: Step = {
  status: 200,
  headers: { etag: '"9"' },
  body: { ok: true, lead: LEAD, changed: ['status'] },
};
type Leadwire = ReturnType<typeof client>;
const drain = async (items: AsyncIterable<unknown>) => {
  for await (const _ of items) return;
};
type Options = { signal?: AbortSignal; deadlineMs?: number };
const range = { from: '', to: '' };
const CALLS: Record<string, (c: Leadwire, options: Options) => Promise<unknown>> = {
  insert: ({ leads }, options) => leads.insert(LEAD, options as never),
  insertMany: ({ leads }, options) => leads.insertMany([LEAD], options),
  get: ({ leads }, options) => leads.get('a', options),
  'get ..': ({ leads }, options) => leads.get('..', options),
  patch: ({ leads }, options) => leads.patch('a', { status: 'new' }, options),
  patchWith: ({ leads }, options) => leads.patchWith('a', () => ({ status: 'new' }), options),
  list: ({ leads }, options) => drain(leads.list({}, options)),
  each: ({ leads }, options) => drain(leads.each({}, options)),
  history: ({ leads }, options) => drain(leads.history('a', {}, options)),
  reconcile: ({ leads }, options) => leads.reconcile([LEAD], options),
  events: ({ events }, options) => drain(events.list({}, options)),
  'webhooks.create': ({ webhooks }, options) =>
    webhooks.create({ url: 'https://example.com', events: [] }, options),
  'webhooks.list': ({ webhooks }, options) => drain(webhooks.list({}, options)),
  'webhooks.get': ({ webhooks }, options) => webhooks.get('wh_1', options),
  'webhooks.update': ({ webhooks }, options) => webhooks.update('wh_1', { active: true }, options),
  'webhooks.delete': ({ webhooks }, options) => webhooks.delete('wh_1', options),
  'webhooks.rotateSecret': ({ webhooks }, options) => webhooks.rotateSecret('wh_1', options),
  'webhooks.test': ({ webhooks }, options) => webhooks.test('wh_1', {}, options),
  'webhooks.deliveries': ({ webhooks }, options) => drain(webhooks.deliveries('wh_1', {}, options)),
  'webhooks.delivery': ({ webhooks }, options) => webhooks.delivery('wh_1', 'd', options),
  'webhooks.retryDelivery': ({ webhooks }, options) => webhooks.retryDelivery('wh_1', 'd', options),
  'webhooks.replay': ({ webhooks }, options) => webhooks.replay('wh_1', range, options),
  'webhooks.replays': ({ webhooks }, options) => drain(webhooks.replays('wh_1', {}, options)),
  'webhooks.getReplay': ({ webhooks }, options) => webhooks.getReplay('wh_1', 'r', options),
  'webhooks.cancelReplay': ({ webhooks }, options) => webhooks.cancelReplay('wh_1', 'r', options),
};
const ONCE = ['create', 'rotateSecret', 'test', 'replay'].map((n) => `webhooks.${n}`);
for (const [name, call] of Object.entries(CALLS)) {
  test(`${name} ends by its signal, by its deadline, and after as many attempts as it may have`, async () => {
    const reason = new Error('enough');
    server.play();
    await assert.rejects(call(client(), { signal: AbortSignal.abort(reason) }), reason);
    assert.equal(server.seen.length, 0);
    server.play(...Array(9).fill(unavailable));
    const limited = client();
    await assert.rejects(
      call(limited, { deadlineMs: 2500 }),
      ONCE.includes(name) ? { attempts: 1 } : DeadlineError,
    );
    assert.deepEqual(limited.clock.waits, ONCE.includes(name) ? [] : [1000]);
    server.play(...Array(9).fill(unavailable));
    const free = client();
    await assert.rejects(call(free, {}), { attempts: ONCE.includes(name) ? 1 : 5 });
    assert.deepEqual(free.clock.waits, ONCE.includes(name) ? [] : [1000, 2000, 4000, 8000]);
  });
}
describe('patchWith', () => {
  test('whose write arrived and whose answer did not reads again and asks again', async () => {
    server.play(read(1), 'cut', conflict, read(2), written);
    const seen: unknown[] = [];
    await client().leads.patchWith('a', ({ custom_fields }) => {
      seen.push(custom_fields.n);
      return { status: 'new' };
    });
    assert.deepEqual(seen, [1, 2]);
  });
  test('has one deadline for all of its reads and writes', async () => {
    server.play(read(1), unavailable, conflict, read(2), unavailable, unavailable, written);
    const { leads, clock } = client();
    await assert.rejects(
      leads.patchWith('a', () => ({ status: 'new' }), { deadlineMs: 3500 }),
      DeadlineError,
    );
    assert.deepEqual(clock.waits, [1000, 1000]);
  });
  test('ends between its tries where it is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    server.play(read(1), conflict, read(2), written);
    let n = 0;
    const call = client().leads.patchWith(
      'a',
      () => {
        if (++n === 2) controller.abort(reason);
        return { status: 'new' };
      },
      { signal: controller.signal },
    );
    await assert.rejects(call, reason);
    assert.equal(server.seen.length, 3);
  });
});
test('a 429 whose Retry-After tells no time is no reason to hurry: it backs off', async () => {
  for (const value of ['0', 'soon', '-1', '', 'Wed, 21 Oct 2015 07:28:00 GMT']) {
    server.play(failure(429, 'rate_limited', { headers: { 'retry-after': value } }), written);
    const { leads, clock } = client();
    await leads.insert(LEAD);
    assert.deepEqual(clock.waits, [1000], value);
  }
});
