import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import {
  type CallOptions,
  createTestDatabase,
  type Json,
  seed,
  startServer,
} from '../../support/index.ts';

export const WEBHOOKS = '/api/v1/webhooks';
export const WEBHOOK_ID = /^wh_[0-9a-f]{32}$/;
export const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
export const MICROS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;
export const MISSING = 'wh_0198c0de000070008000000000dead00';

export const webhookBody = (fields: object = {}): Json => ({
  url: `https://crm.example.com/hook?of=${randomUUID()}`,
  events: ['lead.created'],
  ...fields,
});

/** A server on a database of its own, stopped after the file, and short forms of what tests send. */
export async function openScene({ env = {} }: { env?: Record<string, string> } = {}) {
  const database = await createTestDatabase();
  const server = await startServer({ database, env });
  after(() => server.stop());
  const { ours, theirs } = seed();
  const { call } = server;
  const withKey = (options: CallOptions = {}) => ({ key: ours.full, ...options });
  const one = (id: string) => `${WEBHOOKS}/${id}`;
  const scene = {
    ...{ database, server, ours, theirs, call, one },
    post: (body: unknown, options?: CallOptions) =>
      call('POST', WEBHOOKS, { ...withKey(options), body }),
    get: (id: string, options?: CallOptions) => call('GET', one(id), withKey(options)),
    list: (query = '', options?: CallOptions) => call('GET', WEBHOOKS + query, withKey(options)),
    patch: (id: string, body: unknown, options?: CallOptions) =>
      call('PATCH', one(id), { ...withKey(options), body }),
    remove: (id: string, options?: CallOptions) => call('DELETE', one(id), withKey(options)),
    rotate: (id: string, options?: CallOptions) =>
      call('POST', `${one(id)}/rotate-secret`, withKey(options)),
    /** A new webhook that must be accepted. @returns it, with its secret */
    async create(fields: object = {}, options?: CallOptions): Promise<Json> {
      const answer = await scene.post(webhookBody(fields), options);
      assert.equal(answer.status, 201, answer.text);
      return answer.json;
    },
    /** The row of a webhook, and that of its queue. */
    async stored(id: string): Promise<Json> {
      const [row] = await database.query(
        `SELECT webhooks.*, queue.failures, queue.failing_since FROM webhooks
         JOIN webhook_queues queue ON queue.account_id = webhooks.account_id AND queue.webhook_id = webhooks.id
         WHERE webhooks.id = $1`,
        [uuidOf(id)],
      );
      return row;
    },
    /** As the worker leaves it after failures. */
    markFailing: (id: string) =>
      database.query(
        `UPDATE webhook_queues SET failures = 7, failing_since = '2026-01-15 10:30:00.5+00' WHERE webhook_id = $1`,
        [uuidOf(id)],
      ),
    /** As the worker leaves it when it gives up on the endpoint. */
    deactivate: (id: string, reason: 'gone' | 'failing') =>
      database.query('UPDATE webhooks SET active = false, inactive_reason = $2 WHERE id = $1', [
        uuidOf(id),
        reason,
      ]),
  };
  return scene;
}

export const FAILING_SINCE = '2026-01-15T10:30:00.500000Z';

const uuidOf = (id: string): string => id.slice(3);

/** A webhook as all answers but those of create and rotate show it. */
export function withoutSecret({ secret, previous_secret_until, ...webhook }: Json): Json {
  assert.match(secret, SECRET);
  return webhook;
}
