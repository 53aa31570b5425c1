import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import {
  createKey,
  createTestDatabase,
  type Json,
  type SeededKey,
  seed,
  startServer,
  type TestServer,
} from '../../support/index.ts';
import { isLong } from '../../support/long.ts';
import { type Operation, readDocument } from './document.ts';
import { createChecks } from './properties-check.ts';
import { createKnown } from './properties-known.ts';
import { type Request, requestsOf } from './properties-requests.ts';
import { createSender, type Tally } from './properties-send.ts';

const RUNS_EACH = isLong ? 400 : 16;
const SEQUENCES = isLong ? 1200 : 40;
const SEQUENCE_LENGTH = 12;
/** Each key has a limit, so that answers tell of it; none is reached. */
const LIMIT = '1000000/60';

let server: TestServer;
let reference: Awaited<ReturnType<typeof readDocument>>;
let send: ReturnType<typeof createSender>;
const tally: Tally = new Map();

before(async () => {
  const database = await createTestDatabase();
  const key = (account: string, scopes?: string): Promise<SeededKey> =>
    createKey(database.env, account, { rateLimit: LIMIT, ...(scopes && { scopes }) });
  const { ours, theirs } = seed();
  const [started, full, reader, writer, stranger] = await Promise.all([
    startServer({ database }),
    key(ours.id),
    key(ours.id, 'leads:read'),
    key(ours.id, 'leads:write'),
    key(theirs.id),
  ]);
  server = started;
  reference = await readDocument(server);
  const deps = { server, known: createKnown(), checks: createChecks(reference.document) };
  send = createSender({ ...deps, keys: { full, reader, writer, stranger } }, tally);
  await makeSomething();
});
after(() => server?.stop());

const plain: Request = {
  ...{ caller: 'full', path: { nth: 0 }, query: [], rawQuery: '', refused: null },
  ...{ body: null, headers: {} },
};
// Nobody listens there.
const TARGET = { url: 'http://127.0.0.1:9/', active: true };

/** The body of an example of the document; to a webhook of ours nothing goes but to our own machine. */
function exampleBody({ operation: { operationId, requestBody } }: Operation): Request['body'] {
  if (!requestBody) return null;
  const [{ value }] = Object.values(requestBody.content['application/json'].examples) as Json[];
  return { json: /^(?:create|patch)Webhook$/.test(operationId) ? { ...value, ...TARGET } : value };
}

/** Two requests whatever chance brings: one that must succeed and one that must not. */
const certain = (operation: Operation): [Request][] => [
  [{ ...plain, body: exampleBody(operation) }],
  [{ ...plain, caller: 'nobody' }],
];

const isDelete = ({ method }: Operation): boolean => method === 'DELETE';

/**
 * One of everything that ids stand for, one use of each key, and what is certain of every operation before chance has set a
 * webhook inactive. Of those that delete later: the others need what they take away.
 */
async function makeSomething(): Promise<void> {
  for (const id of ['createWebhook', 'insertLead', 'createReplay', 'listDeliveries']) {
    const operation = reference.operation(id);
    await send(operation, { ...plain, body: exampleBody(operation) });
  }
  const list = reference.operation('listEvents');
  for (const caller of ['reader', 'writer', 'stranger'] as const) {
    await send(list, { ...plain, caller });
  }
  for (const operation of reference.operations.filter((one) => !isDelete(one))) {
    for (const [request] of certain(operation)) await send(operation, request);
  }
}

const deletesLast = (operations: Operation[]): Operation[] =>
  operations.toSorted((a, b) => Number(isDelete(a)) - Number(isDelete(b)));

/** How many of an operation's requests were carried out, from 0 to 1. */
function shareDone(statuses: Map<number, number>): number {
  const count = (entries: [number, number][]) => entries.reduce((sum, [, n]) => sum + n, 0);
  const all = [...statuses];
  return count(all.filter(([status]) => status < 300)) / count(all);
}

describe('requests made from the document', () => {
  test('are answered as documented, operation by operation', async () => {
    for (const operation of deletesLast(reference.operations)) {
      const requests = requestsOf(operation, reference);
      const property = fc.asyncProperty(requests, async (request) => {
        await send(operation, request);
      });
      const examples = isDelete(operation) ? certain(operation) : [];
      await fc.assert(property, { numRuns: RUNS_EACH, examples });
    }
  });

  test('are answered as documented in any order', async () => {
    const all = reference.operations.map((operation) => ({
      weight: isDelete(operation) ? 1 : 4,
      arbitrary: requestsOf(operation, reference).map((request) => ({
        ...{ id: operation.operation.operationId as string, request },
      })),
    }));
    const steps = fc.array(fc.oneof(...all), { minLength: 1, maxLength: SEQUENCE_LENGTH });
    const property = fc.asyncProperty(steps, async (sequence) => {
      for (const { id, request } of sequence) await send(reference.operation(id), request);
    });
    await fc.assert(property, { numRuns: SEQUENCES });
  });

  test('reached every operation: some were carried out, some refused', (t) => {
    // A short run has too few of each for more than the certain ones.
    const [least, most] = isLong ? [0.1, 0.95] : [0.01, 0.99];
    for (const { operation } of reference.operations) {
      const statuses = tally.get(operation.operationId) ?? new Map<number, number>();
      const done = shareDone(statuses);
      const seen = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${status}×${n}`);
      const told = `${operation.operationId}: ${(done * 100).toFixed()} % 2xx; ${seen.join(' ')}`;
      t.diagnostic(told);
      assert.ok(done > least && done < most, told);
    }
  });
});
