import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import { createKey, createTestDatabase, seed, startServer } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { limitOf } from '../../support/rate-limit.ts';

const BATCH = '/api/v1/insertion/leads/batch';

const database = await createTestDatabase();
const tenAMinute = () => createKey(database.env, seed().ours.id, { rateLimit: '10/60' });
const [server, key, fresh, lines] = await Promise.all([
  startServer({ database }),
  tenAMinute(),
  tenAMinute(),
  tenAMinute(),
]);

const leads = (count: number) => Array.from({ length: count }, () => newLead());
const stored = async () => {
  const [row] = await database.query('SELECT count(*)::int AS count FROM leads');
  return row.count;
};

describe('a batch and the rate limit', () => {
  after(() => server.stop());

  it('costs one unit a lead, is refused whole when fewer are left, and a smaller one still fits', async () => {
    const send = (count: number) =>
      server.call('POST', BATCH, { key, body: { leads: leads(count) } });
    const six = await send(6);
    assert.equal(six.status, 200, six.text);
    assert.equal(limitOf(six).left, 4);
    const five = await send(5);
    assertFailure(five, 429, 'rate_limited');
    assert.match(five.headers['retry-after'] ?? '', /^[1-9]\d*$/);
    assert.equal(limitOf(five).left, 4, 'a refused batch costs nothing');
    assert.equal(await stored(), 6, 'nothing of it was written');
    const four = await send(4);
    assert.equal(four.status, 200, four.text);
    assert.equal(limitOf(four).left, 0);
    assertFailure(await send(1), 429, 'rate_limited');
    assert.equal(await stored(), 10);
  });

  it('larger than the whole limit is a 400 that says so, and writes nothing', async () => {
    const before = await stored();
    const eleven = { leads: leads(11) };
    const answer = await server.call('POST', BATCH, { key: fresh, body: eleven });
    assertFailure(answer, 400, /11.*limit.*10/);
    assert.equal(answer.headers['retry-after'], undefined, 'waiting would not help');
    assert.equal(await stored(), before);
  });

  it('without the scope costs one unit, as every request that is refused for that', async () => {
    const options = { rateLimit: '1/3600', scopes: 'leads:read' };
    const reader = await createKey(database.env, seed().ours.id, options);
    const send = () => server.call('POST', BATCH, { key: reader, body: { leads: leads(1) } });
    assertFailure(await send(), 403, 'scope_required:leads:write');
    assertFailure(await send(), 429, 'rate_limited');
  });

  it('counts the rows of newline-delimited JSON too, good and bad', async () => {
    const headers = { 'content-type': 'application/x-ndjson' };
    const rows = (count: number) => leads(count).map((lead) => JSON.stringify(lead));
    const body = [...rows(5), '{}', 'not json'].join('\n');
    const seven = await server.call('POST', BATCH, { key: lines, headers, body });
    assert.equal(seven.status, 200, seven.text);
    assert.equal(limitOf(seven).left, 3);
    const four = rows(4).join('\n');
    const refused = await server.call('POST', BATCH, { key: lines, headers, body: four });
    assertFailure(refused, 429, 'rate_limited');
    const tooLarge = rows(11).join('\n');
    const never = await server.call('POST', BATCH, { key: lines, headers, body: tooLarge });
    assertFailure(never, 400, /11.*limit.*10/);
  });
});
