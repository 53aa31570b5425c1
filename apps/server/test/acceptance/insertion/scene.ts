import assert from 'node:assert/strict';
import { after } from 'node:test';
import {
  type CallOptions,
  createTestDatabase,
  type Json,
  seed,
  startServer,
} from '../../support/index.ts';

export const LEADS = '/api/v1/insertion/leads';
export const BATCH = `${LEADS}/batch`;
export const RECONCILE = `${LEADS}/reconcile`;
export const LEGACY = '/api/v1/leads';

export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const MICROS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;
export const PHONE = '+14155550132';

let opened: ReturnType<typeof makeScene> | undefined;

/** A server on a database of its own, stopped after the file, and short forms of what tests send. One for all that a file imports. */
export function openScene(): ReturnType<typeof makeScene> {
  opened ??= makeScene();
  return opened;
}

async function makeScene() {
  const database = await createTestDatabase();
  const server = await startServer({ database });
  after(() => server.stop());
  const { ours, theirs } = seed();
  const { call } = server;
  const one = (id: string) => `${LEADS}/${encodeURIComponent(id)}`;
  const withKey = (options: CallOptions = {}) => ({ key: ours.full, ...options });
  const scene = {
    ...{ database, server, ours, theirs, call, one },
    post: (body: unknown, options?: CallOptions) =>
      call('POST', LEADS, { ...withKey(options), body }),
    patch: (id: string, body: unknown, options?: CallOptions) =>
      call('PATCH', one(id), { ...withKey(options), body }),
    get: (id: string, options?: CallOptions) => call('GET', one(id), withKey(options)),
    batch: (leads: unknown[], options?: CallOptions) =>
      call('POST', BATCH, { ...withKey(options), body: { leads } }),
    list: (query = '', options?: CallOptions) => call('GET', LEADS + query, withKey(options)),
    history: (id: string, query = '') => call('GET', `${one(id)}/history${query}`, withKey()),
    /** A new lead that must be accepted. @returns the stored lead */
    async insert(fields: object = {}, options?: CallOptions): Promise<Json> {
      const answer = await scene.post(leadBody(fields), options);
      assert.equal(answer.status, 201, answer.text);
      return answer.json.lead;
    },
  };
  return scene;
}

let made = 0;

/** An external id that no test has used. */
export const freshId = (): string => `lead-${++made}`;

/** A smallest valid body with a tuple of its own. */
export const leadBody = (fields: object = {}) => ({
  campaign_id: 1,
  external_lead_id: freshId(),
  phone: PHONE,
  ...fields,
});

/** Every page of a list that has a nextCursor. @returns the entries of each page */
export async function walk(
  page: (cursor: string | null) => Promise<{ entries: Json[]; next: string | number | null }>,
): Promise<Json[][]> {
  const pages: Json[][] = [];
  let cursor: string | null = null;
  do {
    const { entries, next } = await page(cursor);
    pages.push(entries);
    cursor = next === null ? null : String(next);
    assert.ok(pages.length < 10_000, 'the walk does not end');
  } while (cursor !== null);
  return pages;
}

/** Asserts a failure with its status and code, in the shape that every failure has. */
export function assertFails(
  answer: { status: number; text: string; json: Json },
  status: number,
  error?: string | RegExp,
): void {
  assert.equal(answer.status, status, answer.text);
  const body = answer.json;
  assert.equal(body.ok, false);
  assert.equal(typeof body.message, 'string');
  assert.equal(typeof body.request_id, 'string');
  if (typeof error === 'string') assert.equal(body.error, error);
  else if (error) assert.match(body.error, error);
}
