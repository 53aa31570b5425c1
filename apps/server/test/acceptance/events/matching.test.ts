import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import {
  createTestDatabase,
  eventually,
  type Json,
  seed,
  startServer,
  type TestServer,
} from '../../support/index.ts';
import { isLong } from '../../support/long.ts';
import { newLead } from '../../support/new-lead.ts';
import { LEADS } from './scene.ts';

const SENDERS = 12;
const KILLS = isLong ? 4 : 2;
const BETWEEN_KILLS = 150;

const database = await createTestDatabase();
const { full: key } = seed().ours;
let server: TestServer = await startServer({ database });
const { port } = server;
after(() => server.stop());

const tuples = Array.from({ length: 40 }, () => newLead());
const STATUSES = ['new', 'contacted', 'qualified', 'converted'];
const pick = <T>(values: T[]): T => values[randomInt(values.length)] as T;

const change = () => ({ source: `s${randomInt(5)}`, status: pick(STATUSES) });
const anyLead = () => ({ ...(randomInt(3) === 0 ? newLead() : pick(tuples)), ...change() });

function request(): [method: string, path: string, body: Json] {
  const kind = randomInt(3);
  if (kind === 0) return ['POST', LEADS, anyLead()];
  if (kind === 1) return ['PATCH', `${LEADS}/${pick(tuples).external_lead_id}`, change()];
  return ['POST', `${LEADS}/batch`, { leads: Array.from({ length: randomInt(1, 20) }, anyLead) }];
}

/** What the audit records say must have been told, and what was told. */
const EXPECTED = `
  SELECT account_id, lead_id, version, CASE version WHEN 1 THEN 'lead.created' ELSE 'lead.updated' END AS type
  FROM lead_audit_records
  UNION ALL
  SELECT account_id, lead_id, version, 'lead.converted' FROM lead_audit_records
  WHERE lead->>'status' = 'converted' AND (version = 1 OR 'status' = ANY (changed))`;
const TOLD = 'SELECT account_id, lead_id, lead_version, type FROM events WHERE campaign IS NULL';

const count = async (from: string): Promise<number> =>
  (await database.query(`SELECT count(*)::int FROM ${from}`))[0].count;

describe('after a random run in which the server is killed (-9) again and again', () => {
  it('every audit record has exactly its events, and no event is without its record', async () => {
    let answered = 0;
    let isOver = false;
    const sender = async () => {
      while (!isOver) {
        const [method, path, body] = request();
        const isAnswered = await server.call(method, path, { key, body }).then(
          () => true,
          () => false,
        );
        // One that is down need not be asked all the time.
        if (isAnswered) answered++;
        else await wait(20);
      }
    };
    const senders = Array.from({ length: SENDERS }, sender);
    for (let n = 0; n < KILLS; n++) {
      const until = answered + BETWEEN_KILLS + randomInt(100);
      await eventually(() => assert.ok(answered > until), { deadlineMs: 30_000, everyMs: 1 });
      await server.kill('SIGKILL');
      server = await startServer({ database, port });
    }
    isOver = true;
    await Promise.all(senders);
    assert.deepEqual(await database.query(`${EXPECTED} EXCEPT ALL ${TOLD}`), [], 'not told');
    assert.deepEqual(await database.query(`${TOLD} EXCEPT ALL (${EXPECTED})`), [], 'told wrongly');
    assert.ok((await count('lead_audit_records')) > 500);
    assert.ok((await count("events WHERE type = 'lead.converted'")) > 50);
  });

  it('every write of a lead has its audit record', async () => {
    const wrong = await database.query(`
      SELECT leads.id FROM leads
      LEFT JOIN lead_audit_records record ON record.account_id = leads.account_id AND record.lead_id = leads.id
      GROUP BY leads.account_id, leads.id, leads.version
      HAVING count(record.version) <> leads.version OR max(record.version) <> leads.version`);
    assert.deepEqual(wrong, []);
  });
});
