import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/index.ts';
import { type Clock, createClock } from '../../../platform/clock/index.ts';
import { createDatabase } from '../../../platform/database/index.ts';
import { createIds } from '../../../platform/ids/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { createUpkeep } from './index.ts';

export const DAY_MS = 86_400_000;
const NOT_USED = new URL('file:///');

type LogLine = { level: string; details: Record<string, unknown>; message: string };

/** An upkeep of its own connections on `store`, with what it logs and measures. */
export function openUpkeep(
  t: TestContext,
  store: TestDatabase,
  { clock = createClock(), retentionDays = 30 }: { clock?: Clock; retentionDays?: number } = {},
) {
  const lines: LogLine[] = [];
  const at = (level: string) => (details: object, message: string) =>
    void lines.push({ level, details: details as LogLine['details'], message });
  const log = { info: at('info'), warn: at('warn'), error: at('error') };
  const database = createDatabase({
    ...{ url: store.url, poolSize: 3, retryForMs: 3_000, migrations: NOT_USED, log },
  });
  t.after(() => database.close());
  const metrics = createMetrics();
  const upkeep = createUpkeep({
    ...{ database, clock, log, metrics, retentionDays },
    storeNowMs: async () => clock.nowMs(),
  });
  const gauge = async (name: string): Promise<number | undefined> => {
    const metric = await metrics.registry.getSingleMetric(name)?.get();
    return metric?.values[0]?.value;
  };
  return { ...upkeep, database, lines, gauge };
}

/** The clock, `ms` ahead of or behind the machine's. */
export const shiftedClock = (ms: number): Clock =>
  createClock(() => (Date.now() + ms) * 1000 + Math.floor((performance.now() * 1000) % 1000));

const idAt = (ms: number): string => createIds(() => ms)();

/** A migrated database with an account, and what writes rows of it. */
export async function createStore() {
  const store = await createTestDatabase({ from: 'migrated' });
  const accountId = randomUUID();
  await store.query(`INSERT INTO accounts (id, name, created_at) VALUES ($1, 'A', now())`, [
    accountId,
  ]);
  return { ...store, accountId, ...writersOf(store, accountId) };
}

function writersOf({ query }: TestDatabase, accountId: string) {
  return {
    /** Subscribed to lead.created since yesterday. */
    async addWebhook(changes: Record<string, unknown> = {}): Promise<string> {
      const row = {
        ...{ account_id: accountId, id: randomUUID(), url: 'https://partner.example/hook' },
        ...{ events: ['lead.created'], active: true, inactive_reason: null, deleted_at: null },
        ...{ secret_encrypted: 'sealed', created_at: new Date(), updated_at: new Date() },
        ...{ subscribed_at: new Date(Date.now() - DAY_MS), ...changes },
      };
      await insert(query, 'webhooks', row);
      await insert(query, 'webhook_queues', { account_id: accountId, webhook_id: row.id });
      return row.id;
    },
    async addEvent(type = 'lead.created', ageMs = 5_000): Promise<string> {
      const id = idAt(Date.now() - ageMs);
      await insert(query, 'events', {
        ...{ account_id: accountId, id, type, occurred_at: new Date(Date.now() - ageMs) },
        ...{ lead_id: randomUUID(), lead_version: 1 },
      });
      return id;
    },
    async addDelivery(webhookId: string, eventId: string, changes: object = {}): Promise<void> {
      await insert(query, 'deliveries', {
        ...{ account_id: accountId, webhook_id: webhookId, event_id: eventId },
        ...{ due_at: new Date(), ...changes },
      });
    },
    async addAttempt(webhookId: string, eventId: string, changes: object = {}): Promise<string> {
      const row = {
        ...{ account_id: accountId, webhook_id: webhookId, event_id: eventId },
        ...{ id: idAt(Date.now()), outcome: 'succeeded', url: 'https://partner.example/hook' },
        ...{ status: 204, duration_ms: 3, started_at: new Date(), ...changes },
      };
      await insert(query, 'delivery_attempts', row);
      return row.id;
    },
    idAt,
  };
}

async function insert(query: TestDatabase['query'], table: string, row: object): Promise<void> {
  const names = Object.keys(row);
  const places = names.map((_, i) => `$${i + 1}`);
  await query(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(row),
  );
}
