import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  cli,
  createKey,
  createTestDatabase,
  eventually,
  seed,
  startServer,
} from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

const LEADS = '/api/v1/insertion/leads';

const database = await createTestDatabase();
const [server, oneOnly] = await Promise.all([
  startServer({ database }),
  createKey(database.env, seed().ours.id, { rateLimit: '1/600' }),
]);
const key = seed().ours.full;

/** The samples of GET /metrics by name and labels as printed. */
async function samples(): Promise<Map<string, number>> {
  const { text } = await server.call('GET', '/metrics');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

const request = (route: string, method: string, status: number) =>
  `leadwire_http_requests_total{route="${route}",method="${method}",status="${status}"}`;
const outcome = (name: string) => `leadwire_leads_total{outcome="${name}"}`;

after(() => server.stop());

it('the version is told by the command line without a store, by /healthz, by the log and by a metric', async () => {
  const { code, stdout } = await cli(['--version']);
  const version = stdout.trim();
  assert.equal(code, 0);
  assert.match(version, /^\d+\.\d+\.\d+/);
  assert.equal((await cli(['-V'])).stdout, stdout);
  assert.deepEqual((await server.call('GET', '/healthz')).json, { ok: true, version });
  assert.equal((await samples()).get(`leadwire_build_info{version="${version}"}`), 1);
  await eventually(() => assert.ok(server.logs().includes(`"version":"${version}"`)));
});

describe('GET /metrics', () => {
  it('is the text format of Prometheus, for everyone', async () => {
    const { status, headers, text } = await server.call('GET', '/metrics');
    assert.equal(status, 200);
    assert.match(headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/);
    assert.match(text, /^# TYPE leadwire_http_requests_total counter$/m);
    assert.match(text, /^# TYPE leadwire_write_batch_size histogram$/m);
    assert.match(text, /^# TYPE leadwire_store_duration_seconds histogram$/m);
  });

  it('counts requests by route and status, outcomes, rows written and refusals', async () => {
    const before = await samples();
    const [one, two, three] = [newLead(), newLead(), newLead()];
    const posts = [one, two, three, one, { ...one, first_name: 'A' }, two, two];
    for (const body of posts) await server.call('POST', LEADS, { key, body });
    const batch = { leads: [newLead(), newLead(), three, {}] };
    await server.call('POST', `${LEADS}/batch`, { key, body: batch });
    await server.call('POST', LEADS, { key, body: '{' });
    await server.call('GET', `${LEADS}/missing-1`, { key });
    await server.call('GET', `${LEADS}/missing-2`, { key });
    await server.call('GET', `${LEADS}?limit=1`, { key });
    await server.call('GET', '/nope-1', { key });
    await server.call('GET', '/nope-2', { key });
    await server.call('PUT', LEADS, { key });
    await server.call('GET', LEADS);
    for (let i = 0; i < 3; i++) await server.call('GET', LEADS, { key: oneOnly });

    const expected: Record<string, number> = {
      [request(LEADS, 'POST', 201)]: 3,
      [request(LEADS, 'POST', 200)]: 4,
      [request(LEADS, 'POST', 400)]: 1,
      [request(`${LEADS}/batch`, 'POST', 200)]: 1,
      [request(`${LEADS}/:id`, 'GET', 404)]: 2,
      [request(LEADS, 'GET', 200)]: 2,
      [request(LEADS, 'GET', 401)]: 1,
      [request(LEADS, 'GET', 429)]: 2,
      [request(LEADS, 'PUT', 405)]: 1,
      [request('none', 'GET', 404)]: 2,
      [outcome('inserted')]: 5,
      [outcome('patched')]: 1,
      [outcome('deduped')]: 4,
      'leadwire_rate_limited_total{reason="key"}': 2,
    };
    await eventually(async () => {
      const now = await samples();
      const seen = Object.keys(expected).map((name) => [
        name,
        (now.get(name) ?? 0) - (before.get(name) ?? 0),
      ]);
      assert.deepEqual(Object.fromEntries(seen), expected);
    });
  });

  it('measures the time of requests and of the store, and the size of writes', async () => {
    const all = await samples();
    const sum = (start: string) =>
      [...all].reduce(
        (total, [name, value]) => (name.startsWith(start) ? total + value : total),
        0,
      );
    assert.ok(sum('leadwire_http_request_duration_seconds_count') > 10);
    assert.ok(sum('leadwire_http_request_duration_seconds_sum') > 0);
    assert.ok(sum('leadwire_store_duration_seconds_count') > 5);
    assert.ok(sum('leadwire_store_duration_seconds_sum') > 0);
    assert.ok(sum('leadwire_write_batch_size_count') > 0);
    assert.ok(sum('leadwire_write_batch_size_sum') >= 6, 'five inserts and a patch at least');
    assert.ok(all.has('process_resident_memory_bytes'));
  });

  it('has no label that a client chooses: addresses, ids and keys make no series', async () => {
    const secretive = newLead({ external_lead_id: 'Xylophonia', email: 'xylo@phonia.example' });
    await server.call('POST', LEADS, { key, body: secretive });
    for (const path of [
      '/xylo-nope',
      `${LEADS}/Xylophonia`,
      `${LEADS}?external_lead_id=Xylophonia`,
    ]) {
      await server.call('GET', path, { key, headers: { 'idempotency-key': 'xylo' } });
    }
    const names = [...(await samples()).keys()];
    assert.ok(names.length > 50);
    for (const name of names) {
      assert.doesNotMatch(name, /xylo|lwpk_|lwsk_|nope|missing/i);
    }
  });
});
