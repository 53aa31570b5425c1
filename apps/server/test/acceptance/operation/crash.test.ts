import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { eventually, type Json, startServer, type TestServer } from '../../support/index.ts';
import { startLoad } from '../../support/load.ts';

const LEADS = '/api/v1/insertion/leads';

const dataDir = await mkdtemp(join(tmpdir(), 'leadwire-crash-'));
const start = () => startServer({ env: { LEADWIRE_DATA_DIR: dataDir } });
let server: TestServer = await start();
const key = { public_key: '', secret_key: /lwsk_\w+/.exec(server.logs())?.[0] ?? '' };

/** The external ids of all leads, walked by cursor. */
async function everyLead(): Promise<Set<string>> {
  const found = new Set<string>();
  let cursor = '';
  do {
    const path = `${LEADS}?limit=100${cursor && `&cursor=${cursor}`}`;
    const { json }: Json = await server.call('GET', path, { key });
    for (const lead of json.leads) found.add(lead.external_lead_id);
    cursor = json.nextCursor;
  } while (cursor);
  return found;
}

async function assertKept(acknowledged: string[]): Promise<void> {
  const kept = await everyLead();
  const lost = acknowledged.filter((id) => !kept.has(id));
  assert.deepEqual(
    lost,
    [],
    `${lost.length} of ${acknowledged.length} acknowledged leads are lost`,
  );
}

const postgresPid = (): number =>
  server.logLines().findLast(({ msg }) => /^PostgreSQL (is ready|runs again)/.test(msg))
    .postgresPid;

describe('with the embedded PostgreSQL, under load', () => {
  after(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('no acknowledged lead is lost when the service is killed, and it starts again', async () => {
    const load = startLoad({ url: server.url, key, senders: 16 });
    await eventually(() => assert.ok(load.acknowledged.length > 200), { deadlineMs: 20_000 });
    await server.kill('SIGKILL');
    await load.end();
    server = await start();
    await assertKept(load.acknowledged);
  });

  it('no acknowledged lead is lost when PostgreSQL is killed, and the service recovers by itself', async () => {
    const { pid } = server;
    const load = startLoad({ url: server.url, key, senders: 16 });
    await eventually(() => assert.ok(load.acknowledged.length > 200), { deadlineMs: 20_000 });
    process.kill(postgresPid(), 'SIGKILL');
    await eventually(() => assert.match(server.logs(), /PostgreSQL ended by itself/));
    const atDeath = load.acknowledged.length;
    await eventually(() => assert.ok(load.acknowledged.length > atDeath + 50), {
      deadlineMs: 20_000,
    });
    await load.end();
    assert.equal(server.pid, pid);
    assert.ok(server.alive());
    for (const { status, text } of load.refused) {
      assert.ok(status === 503, `${status} ${text}`);
      assert.equal(JSON.parse(text).error, 'unavailable');
    }
    assert.deepEqual(load.failures, [], 'every request was answered');
    await assertKept(load.acknowledged);
    assert.equal((await server.call('GET', '/readyz')).status, 200);
  });
});
