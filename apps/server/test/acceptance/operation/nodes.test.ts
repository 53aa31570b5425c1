import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createTestDatabase, startServer, type TestServer } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

const LEADS = '/api/v1/insertion/leads';

const database = await createTestDatabase({ from: 'empty' });
const nodes = await Promise.all([1, 2, 3].map(() => startServer({ database })));
const [one, two] = nodes as [TestServer, TestServer, TestServer];
const secrets = [...new Set(nodes.flatMap((node) => node.logs().match(/lwsk_\w+/g) ?? []))];
const key = { public_key: '', secret_key: secrets[0] ?? '' };

describe('nodes that start at the same time on an empty database', () => {
  after(() => Promise.all(nodes.map((node) => node.stop())));

  it('bring the schema up once, and make one account default with campaign 1', async () => {
    const accounts = await database.query('SELECT name FROM accounts');
    assert.deepEqual(accounts, [{ name: 'default' }]);
    assert.deepEqual(await database.query('SELECT id FROM campaigns'), [{ id: 1 }]);
    const [{ count }] = await database.query('SELECT count(*)::int AS count FROM api_keys');
    assert.equal(count, 1);
  });

  it('print one key, of one node, that works on all of them', async () => {
    assert.equal(secrets.length, 1);
    for (const node of nodes) {
      assert.equal((await node.call('GET', LEADS, { key })).status, 200);
    }
  });

  it('show each what the others took', async () => {
    const lead = newLead();
    assert.equal((await one.call('POST', LEADS, { key, body: lead })).status, 201);
    const path = `${LEADS}/${lead.external_lead_id}`;
    for (const node of nodes) assert.equal((await node.call('GET', path, { key })).status, 200);
  });

  it('answer one 201 of many posts of one new tuple, wherever they arrive', async () => {
    const body = newLead();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => (i % 2 ? one : two).call('POST', LEADS, { key, body })),
    );
    const statuses = answers.map((answer) => answer.status).sort();
    assert.deepEqual(statuses, [...Array(29).fill(200), 201]);
    assert.equal(new Set(answers.map((answer) => answer.json.lead.id)).size, 1);
  });

  it('never give two leads one created_at, and a walk meets each of them once', async () => {
    const posts = Array.from({ length: 300 }, (_, i) =>
      nodes[i % 3]?.call('POST', LEADS, { key, body: newLead({ source: 'walk' }) }),
    );
    for (const answer of await Promise.all(posts)) assert.equal(answer?.status, 201);
    const seen: string[] = [];
    let cursor = '';
    do {
      const path = `${LEADS}?limit=17${cursor && `&cursor=${cursor}`}`;
      const { json } = await two.call('GET', path, { key });
      seen.push(...json.leads.map((lead: { created_at: string }) => lead.created_at));
      cursor = json.nextCursor;
    } while (cursor);
    assert.equal(seen.length, 302);
    assert.equal(new Set(seen).size, 302);
    assert.deepEqual(seen, seen.toSorted().reverse());
  });
});
