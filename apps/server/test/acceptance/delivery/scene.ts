import assert from 'node:assert/strict';
import {
  createTestDatabase,
  eventually,
  type Json,
  type Receiver,
  type SeededKey,
  seed,
  startReceiver,
  startServer,
  type TestDatabase,
  type TestServer,
} from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

export const LEADS = '/api/v1/insertion/leads';
export const WEBHOOKS = '/api/v1/webhooks';

/** `id` as the API shows it, `uuid` as the store keeps it; `secret` is the one it was created with. */
export type Hook = { id: string; uuid: string; url: string; secret: string };

export type WaitingRow = { event_id: string; attempts: number; due_at: Date };
export type AttemptRow = {
  event_id: string;
  outcome: string;
  error: string | null;
  status: number | null;
  url: string;
  duration_ms: number;
  answer: Buffer | null;
  started_at: Date;
  next_attempt_at: Date | null;
};

/** `wh_…` or `evt_…` as a UUID. */
export const uuidOf = (publicId: string): string =>
  publicId.slice(-32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
export const eventIdOf = (uuid: string): string => `evt_${uuid.replaceAll('-', '')}`;

export type Scene = Awaited<ReturnType<typeof startScene>>;

/** A database, a server that may send to loopback, and what the tests of deliveries do with them. */
export async function startScene({
  env = {},
  runs = true,
}: {
  env?: Record<string, string>;
  runs?: boolean;
} = {}) {
  const database = await createTestDatabase();
  const key = seed().ours.full;
  const receivers: Receiver[] = [];
  const begin = () =>
    startServer({ database, env: { LEADWIRE_ALLOW_PRIVATE_WEBHOOKS: 'on', ...env } });
  let server = await begin();
  if (!runs) await server.stop();
  return {
    database,
    key,
    server: () => server,
    ...storeOf(database),
    ...apiOf(() => server, key),
    /** Ends with the scene. */
    async receiver(options?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
      const receiver = await startReceiver(options);
      receivers.push(receiver);
      return receiver;
    },
    /** Stops the server, does something meanwhile, and starts it again. */
    async withoutServer(act: () => Promise<void>): Promise<void> {
      await server.stop();
      await act();
      server = await begin();
    },
    async close(): Promise<void> {
      if (server.alive()) await server.stop();
      await Promise.all(receivers.map((receiver) => receiver.close()));
    },
  };
}

function apiOf(server: () => TestServer, key: SeededKey) {
  const expect = async (status: number, method: string, path: string, body?: unknown) => {
    const answer = await server().call(method, path, { key, body });
    assert.equal(answer.status, status, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  return {
    expect,
    async webhook(url: string, fields: Record<string, unknown> = {}): Promise<Hook> {
      const made = await expect(201, 'POST', WEBHOOKS, {
        url,
        events: ['lead.created'],
        ...fields,
      });
      return { id: made.id, uuid: uuidOf(made.id), url, secret: made.secret };
    },
    read: (hook: Hook): Promise<Json> => expect(200, 'GET', `${WEBHOOKS}/${hook.id}`),
    change: (hook: Hook, fields: Record<string, unknown>): Promise<Json> =>
      expect(200, 'PATCH', `${WEBHOOKS}/${hook.id}`, fields),
    remove: (hook: Hook): Promise<Json> => expect(200, 'DELETE', `${WEBHOOKS}/${hook.id}`),
    /** Posts a new lead. @returns it as the API shows it */
    async lead(fields: Record<string, unknown> = {}): Promise<Json> {
      return (await expect(201, 'POST', LEADS, newLead(fields))).lead;
    },
    /** Posts so many new leads, in batches. @returns their external ids */
    async leads(count: number): Promise<string[]> {
      const all = Array.from({ length: count }, () => newLead());
      for (let from = 0; from < count; from += 1000) {
        const body = { leads: all.slice(from, from + 1000) };
        const { counts } = await expect(200, 'POST', `${LEADS}/batch`, body);
        assert.equal(counts.inserted, body.leads.length);
      }
      return all.map((lead) => lead.external_lead_id);
    },
  };
}

function storeOf(database: TestDatabase) {
  const waiting = (hook: Hook) =>
    database.query<WaitingRow>(
      'SELECT event_id, attempts, due_at FROM deliveries WHERE webhook_id = $1 ORDER BY event_id',
      [hook.uuid],
    );
  const attempts = (hook: Hook) =>
    database.query<AttemptRow>(
      'SELECT * FROM delivery_attempts WHERE webhook_id = $1 ORDER BY started_at, id',
      [hook.uuid],
    );
  return {
    waiting,
    /** The log of attempts, oldest first. */
    attempts,
    /** Waits for so many logged attempts. */
    attempted: (hook: Hook, count: number, deadlineMs = 10_000): Promise<AttemptRow[]> =>
      eventually(
        async () => {
          const rows = await attempts(hook);
          assert.ok(rows.length >= count, `${rows.length} of ${count} attempts`);
          return rows;
        },
        { deadlineMs },
      ),
    /** Lets time pass for what waits, and says how often it was tried where that is given. */
    makeDue: (hook: Hook, tried: number | null = null) =>
      database.query(
        `UPDATE deliveries SET due_at = now() - interval '1 second', attempts = coalesce($2, attempts)
         WHERE webhook_id = $1`,
        [hook.uuid, tried],
      ),
    /** Lets `days` pass since the first failure of a row of them. */
    failSince: (hook: Hook, days: number) =>
      database.query(
        `UPDATE webhook_queues SET failures = greatest(failures, 1), failing_since = now() - $2 * interval '1 day'
         WHERE webhook_id = $1`,
        [hook.uuid, days],
      ),
    /** The ids of all events as the API shows them. */
    eventIds: async (type = 'lead.created'): Promise<string[]> => {
      const rows = await database.query<{ id: string }>('SELECT id FROM events WHERE type = $1', [
        type,
      ]);
      return rows.map(({ id }) => eventIdOf(id));
    },
  };
}
