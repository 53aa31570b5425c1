import { createHmac, randomBytes } from 'node:crypto';
import { Agent, request } from 'undici';
import type { BenchEvent } from './event.ts';

export type Post = (event: BenchEvent) => Promise<void>;

export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

const keyOf = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64');

/** The signature of Standard Webhooks 1.0.0. */
export function signatureOf(key: Buffer, id: string, seconds: string, body: string): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

/** Whether the signature of a received request holds. */
export function isSigned(
  secret: string,
  headers: Record<string, string | undefined>,
  body: string,
): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': seconds = '' } = headers;
  return headers['webhook-signature'] === signatureOf(keyOf(secret), id, seconds, body);
}

/**
 * Sends an event with undici, signed where a secret is given; rejects on any answer but 2xx.
 * No guard of addresses, no bound on the answer: what a worker written in a day would do.
 */
export function createPost(url: string, secret?: string): Post {
  const dispatcher = new Agent({ pipelining: 1 });
  const key = secret === undefined ? undefined : keyOf(secret);
  return async ({ id, body }) => {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'webhook-id': id,
    };
    if (key !== undefined) {
      const seconds = String(Math.floor(Date.now() / 1000));
      headers['webhook-timestamp'] = seconds;
      headers['webhook-signature'] = signatureOf(key, id, seconds, body);
    }
    const answer = await request(url, { method: 'POST', headers, body, dispatcher });
    await answer.body.dump();
    if (answer.statusCode >= 300) throw new Error(`the receiver answered ${answer.statusCode}`);
  };
}
