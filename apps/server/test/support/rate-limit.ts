import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';

/** What the RateLimit and RateLimit-Policy headers of an answer say; fails where they are not as the contract writes them. */
export function limitOf({ headers }: { headers: IncomingHttpHeaders }) {
  const policy = /^"default";q=(\d+);w=(\d+)$/.exec(String(headers['ratelimit-policy']));
  const state = /^"default";r=(\d+);t=(\d+)$/.exec(String(headers.ratelimit));
  assert.ok(policy && state, `${headers['ratelimit-policy']} ${headers.ratelimit}`);
  const [max, windowSeconds] = policy.slice(1).map(Number) as [number, number];
  const [left, resetSeconds] = state.slice(1).map(Number) as [number, number];
  return { max, windowSeconds, left, resetSeconds };
}
