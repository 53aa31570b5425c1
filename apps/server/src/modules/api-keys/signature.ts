import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';

export type SignedRequest = {
  timestamp: string;
  method: string;
  /** The request target as sent: path and raw query. */
  target: string;
  body: Buffer | undefined;
};

/** The five lines that a partner signs: timestamp, METHOD, path as sent, raw query as sent, SHA-256 of the raw body. */
export function stringToSign({ timestamp, method, target, body }: SignedRequest): string {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark + 1);
  return [timestamp, method, path, query, hash('sha256', body ?? '')].join('\n');
}

/** Compares in constant time. The signature is lower-case hex of HMAC-SHA256 (RFC 2104). */
export function isSignatureOf(text: string, secret: KeyObject, signature: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  const expected = createHmac('sha256', secret).update(text).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}
