import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Lead } from '@leadwire/contract';
import { AppError } from '../../../platform/errors/index.ts';
import { leadDownloads } from './downloads.ts';

const LEAD = { id: 'a', custom_fields: { long: 'x'.repeat(1_000) } } as unknown as Lead;

/** Pages without an end, until somebody stops; counts what was taken. */
function endless() {
  const seen = { pages: 0, isStopped: false };
  async function* pages() {
    try {
      for (;;) {
        seen.pages++;
        yield Array.from({ length: 100 }, () => LEAD);
      }
    } finally {
      seen.isStopped = true;
    }
  }
  return { seen, pages };
}

function scene(pages: () => AsyncIterable<Lead[]>) {
  const state = { nowMs: 0, may: true, checks: 0, logged: [] as string[] };
  const { exportLeads } = leadDownloads({
    exportLeads: async () => pages(),
    clock: { nowMs: () => state.nowMs },
    log: {
      info: (_details, message) => void state.logged.push(message),
      warn: (_details, message) => void state.logged.push(message),
    },
  });
  const open = async (id = 'p'): Promise<Readable> => {
    const { stream } = await exportLeads({
      person: { id, sessionId: 's', name: 'n', email: 'e' },
      accountId: 'acc',
      params: { account: 'acc' },
      query: { format: 'ndjson' },
      stillMay: async () => {
        state.checks++;
        return state.may;
      },
    });
    return stream;
  };
  return { state, open };
}

test('an export breaks off where the person may not have the leads any more', async () => {
  const { seen, pages } = endless();
  const { state, open } = scene(pages);
  const stream = await open();
  stream.once('data', () => {
    state.may = false;
    state.nowMs = 1_000;
  });
  await assert.rejects(buffer(stream));
  assert.equal(state.checks, 1);
  assert.ok(seen.isStopped);
});

test('an export that nobody reads takes no further page, and stops when its reader goes', async () => {
  const { seen, pages } = endless();
  const { state, open } = scene(pages);
  const stream = await open();
  await once(stream, 'readable');
  // Whatever was going to be read without a reader has been by then.
  for (let n = 0; n < 50; n++) await new Promise(setImmediate);
  assert.ok(seen.pages <= 2, `${seen.pages} pages`);
  stream.destroy();
  await once(stream, 'close');
  assert.ok(seen.isStopped);
  assert.deepEqual(state.logged, ['an export of leads was left by who asked for it']);
});

test('an export that fails half-way ends as a failure, not as a file that looks whole', async () => {
  const { state, open } = scene(async function* () {
    yield [LEAD];
    throw new Error('the store is gone');
  });
  const stream = await open();
  await assert.rejects(buffer(stream), /the store is gone/);
  assert.deepEqual(state.logged, ['an export of leads was broken off']);
});

test('a person has three exports at a time, and another one as soon as one of them is over', async () => {
  const { open } = scene(() => endless().pages());
  const [first] = await Promise.all([open(), open(), open()]);
  const refused = (error: unknown) => error instanceof AppError && error.status === 429;
  await assert.rejects(open(), refused);
  (await open('somebody else')).destroy();
  first?.destroy();
  await once(first as Readable, 'close');
  (await open()).destroy();
});
