import assert from 'node:assert/strict';
import { after } from 'node:test';
import {
  type CallOptions,
  createTestDatabase,
  eventually,
  type Json,
  seed,
  startServer,
} from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

export const EVENTS = '/api/v1/events';
export const LEADS = '/api/v1/insertion/leads';

type Page = { data: Json[]; nextCursor: string; hasMore: boolean };

/** A server on a database of its own, stopped after the file, and short forms of what tests of the feed send. */
export async function openScene() {
  const database = await createTestDatabase();
  const server = await startServer({ database });
  after(() => server.stop());
  const { ours, theirs } = seed();
  const scene = {
    ...{ database, server, ours, theirs },
    feed: (query: string | Record<string, string> = '', options: CallOptions = {}) => {
      const text = typeof query === 'string' ? query : `?${new URLSearchParams(query)}`;
      return server.call('GET', EVENTS + text, { key: ours.full, ...options });
    },
    async page(query: string | Record<string, string> = '', options?: CallOptions): Promise<Page> {
      const answer = await scene.feed(query, options);
      assert.equal(answer.status, 200, answer.text);
      return answer.json;
    },
    /** All pages until the feed says that there are no more. */
    async walk(query: Record<string, string> = {}, options?: CallOptions): Promise<Json[]> {
      const events: Json[] = [];
      for (let next: Record<string, string> = query; ; ) {
        const { data, nextCursor, hasMore } = await scene.page(next, options);
        events.push(...data);
        if (!hasMore) return events;
        const { from: _, ...rest } = next;
        next = { ...rest, cursor: nextCursor };
      }
    },
    async post(fields: object = {}, options: CallOptions = {}): Promise<Json> {
      const answer = await server.call('POST', LEADS, {
        ...{ key: ours.full, body: newLead(fields as Record<string, unknown>), ...options },
      });
      assert.ok(answer.status === 201 || answer.status === 200, answer.text);
      return answer.json;
    },
    /** Waits until the feed has `count` events: a transaction of another test file can hold it back for a moment. */
    walked: (count: number, query: Record<string, string> = {}, options?: CallOptions) =>
      eventually(async () => {
        const events = await scene.walk(query, options);
        assert.equal(events.length, count);
        return events;
      }),
  };
  return scene;
}

/** Asserts that nothing is there twice. */
export function assertUnique(ids: string[]): void {
  assert.equal(new Set(ids).size, ids.length, 'an id came twice');
}
