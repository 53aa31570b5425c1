import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import {
  type CallOptions,
  createTestDatabase,
  type Json,
  seed,
  startServer,
} from '../../support/index.ts';

export const WEBHOOKS = '/api/v1/webhooks';
export const MICROS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;

type EventOptions = { at?: number; type?: string; account?: string };
type AttemptOptions = {
  outcome?: 'succeeded' | 'failed' | 'given_up';
  at?: number;
  status?: number | null;
  error?: string | null;
  answer?: Buffer | null;
  replay?: string;
};

/** The time of the first event that a test makes, unless told otherwise; each further one a second later. */
export const START_MS = Date.UTC(2026, 0, 15, 10);

/** A server on a database of its own, and what waits or was sent written there as a dispatcher leaves it. */
export async function openScene({ role = 'api' }: { role?: 'api' | 'all' } = {}) {
  const database = await createTestDatabase();
  const env = { LEADWIRE_ROLE: role, LEADWIRE_ALLOW_PRIVATE_WEBHOOKS: 'on' };
  const server = await startServer({ database, env });
  after(() => server.stop());
  const { ours, theirs } = seed();
  const { call } = server;
  let nextMs = START_MS;
  const scene = {
    ...{ database, server, call, ours, theirs },
    get: (path: string, options: CallOptions = {}) =>
      call('GET', `${WEBHOOKS}/${path}`, { key: ours.full, ...options }),
    post: (path: string, body?: unknown, options: CallOptions = {}) =>
      call('POST', `${WEBHOOKS}/${path}`, { key: ours.full, body, ...options }),

    /** A new webhook of ours unless told otherwise. @returns it with its `uuid` */
    async webhook(fields: Json = {}, options: CallOptions = {}): Promise<Json> {
      const body = { url: 'http://127.0.0.1:9/hook', events: ['campaign.started'], ...fields };
      const answer = await call('POST', WEBHOOKS, { key: ours.full, body, ...options });
      assert.equal(answer.status, 201, answer.text);
      return { ...answer.json, uuid: uuidOf(answer.json.id) };
    },

    /** An event of ours that no webhook was told of. */
    async event(options: EventOptions = {}): Promise<{ uuid: string; id: string; at: string }> {
      const ms = options.at ?? nextMs;
      nextMs += 1000;
      const account = options.account ?? ours.id;
      const uuid = uuidAt(ms);
      const at = `${new Date(ms).toISOString().slice(0, -1)}001Z`;
      const campaign = { id: 1, account_id: account, name: 'Spring', state: 'active' };
      const type = options.type ?? 'campaign.started';
      await database.query(
        'INSERT INTO events (account_id, id, type, occurred_at, campaign) VALUES ($1, $2, $3, $4, $5)',
        [account, uuid, type, at, JSON.stringify(campaign)],
      );
      return { uuid, id: `evt_${uuid.replaceAll('-', '')}`, at };
    },

    async waits(webhook: Json, event: { uuid: string }, attempts = 0, dueInMs = 3_600_000) {
      await database.query(
        `INSERT INTO deliveries (account_id, webhook_id, event_id, due_at, attempts)
         SELECT account_id, id, $2, now() + $4 * interval '1 ms', $3 FROM webhooks WHERE id = $1`,
        [webhook.uuid, event.uuid, attempts, dueInMs],
      );
    },

    async tried(webhook: Json, event: { uuid: string }, options: AttemptOptions = {}) {
      const { outcome = 'succeeded', at = Date.now(), answer = null } = options;
      const failed = outcome !== 'succeeded';
      const { status = failed ? 500 : 204, error = failed ? 'status' : null } = options;
      const started = new Date(at).toISOString();
      const next = outcome === 'failed' ? new Date(at + 5000).toISOString() : null;
      await database.query(
        `INSERT INTO delivery_attempts (account_id, webhook_id, event_id, id, outcome, error, url, status,
           duration_ms, answer, started_at, next_attempt_at, replay_id)
         SELECT account_id, id, $2, $3, $4, $5, url, $6, 12, $7, $8, $9, $10 FROM webhooks WHERE id = $1`,
        [
          ...[webhook.uuid, event.uuid, uuidAt(at), outcome, error],
          ...[status, answer, started, next, options.replay ?? null],
        ],
      );
    },
  };
  return scene;
}

export const uuidOf = (publicId: string): string =>
  publicId
    .slice(publicId.indexOf('_') + 1)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** A UUIDv7 of a millisecond. */
export function uuidAt(ms: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(ms, 0, 6);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return uuidOf(`x_${bytes.toString('hex')}`);
}

/** All pages of a list. */
export async function walk(page: (cursor: string) => Promise<Json>): Promise<Json[][]> {
  const pages: Json[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { data, nextCursor }: Json = await page(cursor === '' ? '' : `&cursor=${cursor}`);
    pages.push(data);
    cursor = nextCursor;
    assert.ok(pages.length < 10_000, 'the walk does not end');
  }
  return pages;
}

/** What a prober can compare of two answers: all but the ids of the requests. */
export const shape = ({
  status,
  headers,
  json,
}: {
  status: number;
  headers: object;
  json: Json;
}) => {
  const { request_id, ...body } = json;
  assert.equal(typeof request_id, 'string');
  return { status, body, headers: Object.keys(headers).sort() };
};
