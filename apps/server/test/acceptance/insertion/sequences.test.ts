import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Json } from '../../support/index.ts';
import { isLong } from '../../support/long.ts';
import { type Operation, operations } from './arbitraries.ts';
import { type Fields, write } from './model.ts';
import { freshId, openScene } from './scene.ts';

const { post, patch, get, history, list, database } = await openScene();

const RUN_FOR_MS = 12_000;
const settings = {
  numRuns: isLong ? 150 : 40,
  interruptAfterTimeLimit: RUN_FOR_MS,
  markInterruptAsFailure: false,
};

const bodyOf = (tuple: string, fields: Fields) => ({
  campaign_id: 1,
  external_lead_id: tuple,
  ...fields,
});

/** The fields of a lead that the model knows. */
function known(lead: Json): Fields {
  const { id, account_id, campaign_id, external_lead_id, created_at, updated_at, ...fields } = lead;
  return fields;
}

const eventsOf = async (leadId: string): Promise<string[]> =>
  (await database.query('SELECT type FROM events WHERE lead_id = $1 ORDER BY 1', [leadId])).map(
    (row) => row.type,
  );

/** The events that a chain of states of one lead must have left. */
function eventsFor(states: Fields[]): string[] {
  const types = states.map((_, n) => (n === 0 ? 'lead.created' : 'lead.updated'));
  const conversions = states.filter(
    (state, n) => state.status === 'converted' && states[n - 1]?.status !== 'converted',
  );
  return [...types, ...conversions.map(() => 'lead.converted')].sort();
}

type Tracked = { tuple: string; id?: string; states: Fields[]; etags: string[] };

async function step(lead: Tracked, operation: Operation): Promise<void> {
  const stored = lead.states.at(-1) ?? null;
  const what = JSON.stringify({ stored, operation });
  const isEmpty = operation.kind === 'patch' && Object.keys(operation.fields).length === 0;
  const expected = write(stored, operation.fields);
  const answer = await send(lead, operation);
  if (isEmpty) assert.equal(answer.json.error, 'empty_body', what);
  else if (operation.kind === 'patch' && !stored) assert.equal(answer.status, 404, what);
  else if (operation.kind === 'patch' && operation.ifMatch === 'stale' && lead.etags.length > 0)
    assert.equal(answer.status, 409, what);
  else if (expected.kind === 'refused') assert.equal(answer.status, 400, what);
  else {
    const isNew = stored === null;
    assert.equal(answer.status, isNew ? 201 : 200, `${what} ${answer.text}`);
    const changed = expected.kind === 'written' && !isNew ? expected.changed : [];
    assert.deepEqual(answer.json.changed, changed, what);
    assert.deepEqual(known(answer.json.lead), expected.lead, what);
    if (operation.kind === 'post') {
      const status = isNew ? 'inserted' : expected.kind === 'written' ? 'patched' : 'deduped';
      assert.equal(answer.json.status, status, what);
    }
    lead.id ??= answer.json.lead.id;
    assert.equal(answer.json.lead.id, lead.id);
    if (expected.kind === 'written') lead.states.push(expected.lead);
  }
}

async function send(lead: Tracked, operation: Operation) {
  if (operation.kind === 'post') return post(bodyOf(lead.tuple, operation.fields));
  if (operation.ifMatch === 'none' || !lead.id) return patch(lead.tuple, operation.fields);
  const current = String((await get(lead.id)).headers.etag);
  if (lead.etags.at(-1) !== current) lead.etags.push(current);
  const etag = operation.ifMatch === 'current' ? current : (lead.etags.at(-2) ?? '"stale"');
  return patch(lead.id, operation.fields, { headers: { 'if-match': etag } });
}

async function checkStored(lead: Tracked): Promise<void> {
  if (!lead.id) {
    assert.equal((await get(lead.tuple)).status, 404);
    return;
  }
  const { lead: stored } = (await get(lead.id)).json;
  assert.deepEqual(known(stored), lead.states.at(-1));
  const listed = (await list(`?external_lead_id=${lead.tuple}`)).json.leads;
  assert.deepEqual(listed, [stored]);
  const records = (await history(lead.id, '?limit=100')).json.history;
  assert.equal(records.length, lead.states.length);
  assert.deepEqual(await eventsOf(lead.id), eventsFor(lead.states));
}

describe('sequences of posts and patches', () => {
  test('one after the other do what the model does, answer by answer', async () => {
    await fc.assert(
      fc.asyncProperty(operations(3, ['none', 'current', 'stale']), async (sequence) => {
        const leads = [0, 1, 2].map((): Tracked => ({ tuple: freshId(), states: [], etags: [] }));
        for (const operation of sequence) await step(leads[operation.lead] as Tracked, operation);
        for (const lead of leads) await checkStored(lead);
      }),
      settings,
    );
  });

  test('at the same time give answers and a state that some serial order explains', async () => {
    await fc.assert(
      fc.asyncProperty(operations(2, ['none']), async (sequence) => {
        const tuples = [freshId(), freshId()];
        const run = freshId();
        const answers = await Promise.all(
          sequence.map(async (operation, n) => {
            const tuple = tuples[operation.lead] as string;
            const headers = { 'x-request-id': `${run}.${n}` };
            const answer =
              operation.kind === 'post'
                ? await post(bodyOf(tuple, operation.fields), { headers })
                : await patch(tuple, operation.fields, { headers });
            return { operation, answer };
          }),
        );
        for (const [n, tuple] of tuples.entries()) {
          await checkSerial(
            tuple,
            answers.filter(({ operation }) => operation.lead === n),
            run,
            sequence,
          );
        }
      }),
      settings,
    );
  });
});

type Answered = { operation: Operation; answer: Awaited<ReturnType<typeof post>> };

/** The audit records name the request of each write, in order: replayed in the model they must give every answer. */
async function checkSerial(
  tuple: string,
  answered: Answered[],
  run: string,
  sequence: Operation[],
): Promise<void> {
  for (const { answer } of answered) {
    assert.ok([200, 201, 400, 404, 409].includes(answer.status), answer.text);
  }
  const found = await get(tuple);
  const inserted = answered.filter(({ answer }) => answer.status === 201);
  assert.equal(inserted.length, found.status === 200 ? 1 : 0);
  const states = found.status === 200 ? await replay(found.json.lead, answered, run, sequence) : [];
  for (const { operation, answer } of answered) {
    const isUnchanged = answer.status === 200 && answer.json.changed.length === 0;
    if (isUnchanged) {
      // It saw one of the states, and changed nothing there.
      const seen = states.some(
        (state) =>
          isEqual(state, known(answer.json.lead)) &&
          write(state, operation.fields).kind === 'unchanged',
      );
      assert.ok(seen, answer.text);
    }
    if (answer.status === 409) assert.equal(operation.kind, 'patch');
  }
}

async function replay(
  lead: Json,
  answered: Answered[],
  run: string,
  sequence: Operation[],
): Promise<Fields[]> {
  const records = (await history(lead.id, '?limit=100')).json.history.reverse();
  const states: Fields[] = [];
  for (const record of records) {
    const n = Number(record.request_id.slice(run.length + 1));
    const operation = sequence[n] as Operation;
    const outcome = write(states.at(-1) ?? null, operation.fields);
    assert.equal(outcome.kind, 'written');
    if (outcome.kind !== 'written') continue;
    states.push(outcome.lead);
    const { answer } = answered.find((one) => one.operation === operation) as Answered;
    assert.deepEqual(known(answer.json.lead), outcome.lead);
  }
  assert.deepEqual(known(lead), states.at(-1));
  const acknowledged = answered.filter(
    ({ answer }) =>
      answer.status === 201 || (answer.status === 200 && answer.json.changed.length > 0),
  );
  assert.equal(records.length, acknowledged.length);
  assert.deepEqual(await eventsOf(lead.id), eventsFor(states));
  return states;
}

function isEqual(a: Fields, b: Fields): boolean {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}
