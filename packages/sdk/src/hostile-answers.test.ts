import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LONGEST_ANSWER_BYTES } from './answer-text.ts';
import { NetworkError, ValidationError } from './index.ts';
import { LEAD, openScene } from './testing/scene.ts';
import { failure } from './testing/scripted-server.ts';

const { server, client } = await openScene();
type Leadwire = ReturnType<typeof client>;

async function pagesOf(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of items) count++;
  return count;
}

describe('JSON that is no answer of the service is a malformed answer', () => {
  const none = { inserted: 1, patched: 0, deduped: 0, failed: 0 };
  const result = { index: 0, status: 'inserted', lead_id: 'x' };
  const calls: [string, (leadwire: Leadwire) => Promise<unknown>, unknown[]][] = [
    ['insert', ({ leads }) => leads.insert(LEAD), [null, 7, [], {}, { lead: null }]],
    ['get', ({ leads }) => leads.get('a'), [null, {}, { lead: 'x' }]],
    ['patch', ({ leads }) => leads.patch('a', { status: 'new' }), [{ ok: true }]],
    [
      'insertMany',
      ({ leads }) => leads.insertMany([LEAD]),
      [
        ...[null, {}, { results: [], counts: none }, { results: [null], counts: none }],
        ...[
          { results: [result], counts: {} },
          { results: [{ ...result, index: 7 }], counts: none },
        ],
      ],
    ],
    ['reconcile', ({ leads }) => leads.reconcile([LEAD]), [{}, { results: [], counts: {} }]],
    ['get ..', ({ leads }) => leads.get('..'), [{}]],
    ['list', ({ leads }) => pagesOf(leads.list()), [{}, { leads: [] }, { nextCursor: null }]],
    ['history', ({ leads }) => pagesOf(leads.history('a')), [{ history: [] }]],
    ['events', ({ events }) => pagesOf(events.list()), [{ data: [], hasMore: true }]],
    ['webhooks', ({ webhooks }) => pagesOf(webhooks.list()), [{}, { data: [] }]],
    ['webhooks.get', ({ webhooks }) => webhooks.get('wh_1'), [null, []]],
  ];
  for (const [name, call, bodies] of calls) {
    test(name, async () => {
      for (const body of bodies) {
        server.play(...Array(5).fill({ status: 200, body }));
        await assert.rejects(call(client()), (error) => {
          assert.ok(error instanceof NetworkError, String(error));
          assert.deepEqual([error.code, error.attempts], ['malformed_answer', 5]);
          return true;
        });
      }
    });
  }

  test('and patchWith writes nothing by a lead that came without its ETag', async () => {
    server.play({ status: 200, body: { lead: LEAD } });
    const patched = client().leads.patchWith('a', () => ({ status: 'new' }));
    await assert.rejects(patched, { code: 'malformed_answer' });
    assert.equal(server.seen.length, 1);
  });

  test('and errors of a 400 that are none are left out', async () => {
    const errors = [null, 7, { path: 'phone', code: 'x', message: 'y' }];
    server.play(failure(400, 'wrong', { body: { errors } }));
    await assert.rejects(client().leads.insertMany([LEAD, LEAD]), (error) => {
      assert.ok(error instanceof ValidationError);
      assert.deepEqual(error.errors, errors.slice(2));
      return true;
    });
  });
});

test('pages that lead back to themselves end with an error', async () => {
  const page = { leads: [], data: [], history: [], nextCursor: '7', hasMore: true };
  for (const list of [
    ({ leads }: Leadwire) => leads.list(),
    ({ leads }: Leadwire) => leads.each(),
    ({ leads }: Leadwire) => leads.history('a'),
    ({ events }: Leadwire) => events.list(),
    ({ webhooks }: Leadwire) => webhooks.deliveries('wh_1'),
  ]) {
    server.play(...Array(9).fill({ status: 200, body: page }));
    await assert.rejects(pagesOf(list(client())), { code: 'malformed_answer' });
    assert.equal(server.seen.length, 2);
  }
});

test('an answer without an end is read no further than the longest, and ended', async () => {
  const chunk = new Uint8Array(16 * 1024 * 1024).fill(0x20);
  let bytes = 0;
  let cuts = 0;
  const fetcher: typeof fetch = async (_, init) => {
    init?.signal?.addEventListener('abort', () => cuts++);
    const pull = (controller: ReadableStreamDefaultController) => {
      bytes += chunk.length;
      controller.enqueue(chunk);
    };
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
  };
  const { webhooks } = client({ fetch: fetcher });
  await assert.rejects(webhooks.test('wh_1'), /longer than/);
  assert.equal(bytes, LONGEST_ANSWER_BYTES + chunk.length);
  assert.equal(cuts, 1);
});
