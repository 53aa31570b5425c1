import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  createAccount,
  createCampaign,
  createKey,
  eventually,
  type Receiver,
  type SeededKey,
  startReceiver,
  startServer,
  type TestServer,
} from '../support/index.ts';
import { startLoad } from '../support/load.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../support/postgres.ts';
import { freePort } from '../support/server.ts';

const VICTIMS = ['worker', 'api', 'postgres'] as const;
type Victim = (typeof VICTIMS)[number];

const SENDERS = 8;
const AT_MOST_MS = 60_000;

type World = {
  postgres: PrivatePostgres;
  servers: Record<'api' | 'worker' | 'worker2', TestServer>;
  key: SeededKey;
  endpoints: { name: string; webhookId: string; receiver: Receiver }[];
  acknowledged: Set<string>;
};

/**
 * Rounds of: leads are posted through an API process and delivered by two workers, one of them, the API or PostgreSQL is killed with -9
 * at a random moment, load goes on, and then it is quiet. After each every event that was ever committed has reached every webhook.
 * @throws AssertionError where one has not
 */
export async function runKillRounds({
  rounds,
  report,
}: {
  rounds: number;
  report: (line: string) => void;
}): Promise<void> {
  const world = await createWorld();
  try {
    for (let round = 1; round <= rounds; round++) {
      const victim = VICTIMS[(round - 1) % VICTIMS.length] as Victim;
      report(`round ${round}: ${victim}: ${await runRound(world, victim)}`);
    }
    await assertSelfCheck(world);
  } finally {
    await Promise.all(Object.values(world.servers).map((server) => server.kill()));
    await Promise.all(world.endpoints.map(({ receiver }) => receiver.close()));
    await world.postgres.close();
  }
}

async function createWorld(): Promise<World> {
  const postgres = await startPrivatePostgres({ durable: true });
  const api = await startRole(postgres, 'api');
  const [worker, worker2] = await Promise.all([
    startRole(postgres, 'worker'),
    startRole(postgres, 'worker'),
  ]);
  const account = await createAccount(postgres.env, 'Killed');
  await createCampaign(postgres.env, account.id, 'One');
  const key = await createKey(postgres.env, account.id);
  const endpoints = [];
  for (const [name, receiver] of [
    ['healthy', await startReceiver()],
    ['slower', await startReceiver({ respond: () => wait(randomInt(20), 204) })],
    ['fails now and then', await startReceiver({ respond: failSometimes() })],
  ] as const) {
    const body = { url: receiver.url, events: ['lead.created'] };
    const { status, json, text } = await api.call('POST', '/api/v1/webhooks', { key, body });
    assert.equal(status, 201, text);
    endpoints.push({ name, receiver, webhookId: json.id as string });
  }
  return { postgres, servers: { api, worker, worker2 }, key, endpoints, acknowledged: new Set() };
}

/** A failure now and then, but not twice for one event: its second retry would be minutes later. */
function failSometimes(): (request: { id: string }) => number {
  const failed = new Set<string>();
  return ({ id }) => {
    if (failed.has(id) || randomInt(100) >= 2) return 204;
    failed.add(id);
    return 503;
  };
}

const startRole = async (
  postgres: PrivatePostgres,
  role: 'api' | 'worker',
  port?: number,
): Promise<TestServer> =>
  startServer({
    port: port ?? (await freePort()),
    env: { ...postgres.env, LEADWIRE_ROLE: role, LEADWIRE_ALLOW_PRIVATE_WEBHOOKS: 'on' },
  });

async function runRound(world: World, victim: Victim): Promise<string> {
  const { servers, key, acknowledged } = world;
  const before = countRequests(world);
  const load = startLoad({ url: servers.api.url, key, senders: SENDERS, pauseMs: 2 });
  await eventually(() => assert.ok(load.acknowledged.length > 20), { deadlineMs: 30_000 });
  await wait(randomInt(1_500));
  const killedAt = await kill(world, victim);
  const atDeath = load.acknowledged.length;
  // Where nothing is acknowledged any more after a kill, that fails the round too.
  await eventually(() => assert.ok(load.acknowledged.length > atDeath + 50), {
    deadlineMs: 30_000,
  });
  await load.end();
  for (const id of load.acknowledged) acknowledged.add(id);
  await assertEverythingArrived(world);
  const requests = countRequests(world) - before;
  return `${load.acknowledged.length} leads, ${requests} requests, quiet ${Date.now() - killedAt} ms after the kill`;
}

const countRequests = ({ endpoints }: World): number =>
  endpoints.reduce((sum, { receiver }) => sum + receiver.requests.length, 0);

/** Kills, and starts again what does not do so by itself. @returns when it was killed */
async function kill(world: World, victim: Victim): Promise<number> {
  const { servers, postgres } = world;
  const killedAt = Date.now();
  if (victim === 'postgres') {
    postgres.kill();
    return killedAt;
  }
  const name = victim === 'api' ? 'api' : randomInt(2) ? 'worker' : 'worker2';
  const { port } = servers[name];
  await servers[name].kill();
  servers[name] = await startRole(postgres, victim, port);
  return killedAt;
}

async function assertEverythingArrived({ postgres, endpoints, acknowledged }: World) {
  await eventually(
    async () => {
      const waiting = await postgres.query(
        `SELECT webhook_id, attempts, due_at - now() AS due_in, lease_holder, leased_until - now() AS leased, failures
         FROM deliveries JOIN webhook_queues USING (account_id, webhook_id) LIMIT 20`,
      );
      assert.deepEqual(waiting, []);
    },
    { deadlineMs: AT_MOST_MS, everyMs: 100 },
  );
  const events = await postgres.query(
    `SELECT 'evt_' || replace(events.id::text, '-', '') AS id, leads.external_lead_id AS lead
     FROM leads LEFT JOIN events ON events.account_id = leads.account_id
       AND events.lead_id = leads.id AND events.type = 'lead.created'`,
  );
  const leads = new Set(events.map(({ lead }) => lead));
  const lost = [...acknowledged].filter((lead) => !leads.has(lead));
  assert.deepEqual(lost, [], `${lost.length} acknowledged leads are lost`);
  assert.deepEqual(
    events.filter(({ id }) => id === null),
    [],
    'a lead without its event',
  );
  const leadOf = new Map(events.map(({ id, lead }) => [id as string, lead as string]));
  assert.equal(leadOf.size, leads.size, 'one event a lead');
  for (const { name, receiver } of endpoints) assertReceived(name, receiver, leadOf);
}

/** Each event at least once, nothing that is no event, and a repetition with the same id and body alone. */
function assertReceived(name: string, { requests }: Receiver, leadOf: Map<string, string>): void {
  const bodies = new Map<string, string>();
  for (const { id, body } of requests) {
    assert.equal(bodies.get(id) ?? body, body, `${name}: ${id} came with two bodies`);
    bodies.set(id, body);
  }
  const missing = [...leadOf.keys()].filter((id) => !bodies.has(id));
  assert.deepEqual(missing, [], `${name}: ${missing.length} of ${leadOf.size} events are lost`);
  for (const [id, body] of bodies) {
    assert.ok(leadOf.has(id), `${name}: ${id} is the event of nothing that committed`);
    assert.equal(JSON.parse(body).data.lead.external_lead_id, leadOf.get(id), name);
  }
}

const METRIC = /^leadwire_unaccounted_events(?:\{[^}]*\})? (\S+)$/m;

async function assertSelfCheck({ servers }: World): Promise<void> {
  const { text } = await servers.worker.call('GET', '/metrics');
  assert.equal(METRIC.exec(text)?.[1], '0', 'leadwire_unaccounted_events of a worker');
}
