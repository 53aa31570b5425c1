import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startServer } from '../../support/index.ts';
import { LEADS, leadBody, openScene } from './scene.ts';

const { post, call, database, ours } = await openScene();
const other = await startServer({ database });
after(() => other.stop());

const rowsOf = async (externalId: string) => {
  const [leads, audit, events] = await Promise.all([
    database.query('SELECT id, version FROM leads WHERE external_lead_id = $1', [externalId]),
    database.query(
      'SELECT 1 FROM lead_audit_records JOIN leads ON leads.id = lead_id WHERE external_lead_id = $1',
      [externalId],
    ),
    database.query(
      'SELECT type FROM events JOIN leads ON leads.id = lead_id WHERE external_lead_id = $1',
      [externalId],
    ),
  ]);
  return { leads, audit, events: events.map((row) => row.type) };
};

const tally = (values: unknown[]) =>
  Object.fromEntries(
    [...new Set(values)].map((value) => [value, values.filter((one) => one === value).length]),
  );

describe('50 concurrent posts of one new tuple', () => {
  for (const [where, targets] of [
    ['one node', [call]],
    ['two nodes', [call, other.call]],
  ] as const) {
    test(`on ${where}, with one payload: one 201, 49 deduped, one lead, one lead.created`, async () => {
      for (let round = 0; round < 5; round++) {
        const body = leadBody();
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, n) => {
            const target = targets[n % targets.length] ?? call;
            return target('POST', LEADS, { key: ours.full, body });
          }),
        );
        assert.deepEqual(tally(answers.map((answer) => answer.status)), { 200: 49, 201: 1 });
        const states = tally(answers.map((answer) => answer.json.status));
        assert.deepEqual(states, { inserted: 1, deduped: 49 });
        assert.equal(new Set(answers.map((answer) => answer.json.lead.id)).size, 1);
        const { leads, audit, events } = await rowsOf(body.external_lead_id);
        assert.equal(leads.length, 1);
        assert.equal(leads[0].version, 1);
        assert.equal(audit.length, 1);
        assert.deepEqual(events, ['lead.created']);
      }
    });

    test(`on ${where}, with 50 payloads: one 201, 49 patched, none lost`, async () => {
      const body = leadBody();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => {
          const target = targets[n % targets.length] ?? call;
          const own = { ...body, custom_fields: { [`f${n}`]: n } };
          return target('POST', LEADS, { key: ours.full, body: own });
        }),
      );
      const states = tally(answers.map((answer) => answer.json.status));
      assert.deepEqual(states, { inserted: 1, patched: 49 });
      const { leads, audit, events } = await rowsOf(body.external_lead_id);
      assert.equal(leads.length, 1);
      assert.equal(leads[0].version, 50);
      assert.equal(audit.length, 50);
      assert.deepEqual(tally(events), { 'lead.created': 1, 'lead.updated': 49 });
      const again = await post(body);
      assert.equal(Object.keys(again.json.lead.custom_fields).length, 50);
    });
  }

  test('of which some are invalid: the bad ones alone fail', async () => {
    const bodies = Array.from({ length: 60 }, (_, n) =>
      leadBody(n % 3 === 0 ? { campaign_id: 99 } : n % 3 === 1 ? { phone: 'x' } : {}),
    );
    const answers = await Promise.all(bodies.map((body) => post(body)));
    assert.deepEqual(tally(answers.map((answer) => answer.status)), { 201: 20, 400: 40 });
  });
});
