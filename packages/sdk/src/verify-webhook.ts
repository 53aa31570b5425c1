import { parseJson } from '@leadwire/contract/json';
import { isObject } from '@leadwire/contract/stored';
import { LeadwireError } from './errors.ts';
import type { EventFeedAnswer } from './types.generated.ts';

/** An event as webhooks get it: `type` tells which one, and what its `data` holds. */
export type WebhookEvent = EventFeedAnswer['data'][number];

/** The headers of a request: those of fetch, or those of Node, in any case of letters. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

export type VerifyOptions = {
  /** How far the time of sending may be from now, in seconds, before and after. Default 300. */
  toleranceSeconds?: number;
  /** Milliseconds since the Unix epoch; default: now. */
  nowMs?: number;
};

export type WebhookVerificationCode =
  | 'missing_header'
  | 'invalid_secret'
  | 'invalid_timestamp'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'invalid_signature'
  | 'malformed_payload';

/** A request that is no webhook of yours: answer 400 (or 401), and do nothing else. `code` says why. */
export class WebhookVerificationError extends LeadwireError {
  override name = 'WebhookVerificationError';
  declare readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, message: string) {
    super(message, { code });
  }
}

const encoder = new TextEncoder();
const SHORTEST_SECRET_BYTES = 24;
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/**
 * Checks that a request is a webhook of the service (Standard Webhooks 1.0.0) and reads its event. Compares in constant time.
 *
 * @param payload the body exactly as it came: parsed and written again, its signature no longer holds
 * @param secret `whsec_…`; several while one replaces another: any of them may have signed
 * @throws WebhookVerificationError; LeadwireError `invalid_option` where the options hold no number
 */
export async function verifyWebhook(
  payload: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  checkOptions(options);
  const body = bytesOf(payload);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = signaturesOf(headerOf(headers, 'webhook-signature'));
  const keys = (Array.isArray(secret) ? secret : [secret]).map(keyBytesOf);
  if (keys.length === 0) throw new WebhookVerificationError('invalid_secret', 'No secret is given');
  checkTime(timestamp, options);
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), body);
  for (const bytes of keys) {
    // Once a secret, however many signatures are sent: nobody shall make the body be hashed a thousand times.
    const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign']);
    const expected = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
    if (signatures.some((signature) => isEqual(signature, expected))) return eventOf(body);
  }
  throw new WebhookVerificationError(
    'invalid_signature',
    'No signature fits body, id, timestamp and secret; the body must be the raw one, not parsed and written again',
  );
}

type Bytes = Uint8Array<ArrayBuffer>;

function bytesOf(payload: string | Uint8Array | ArrayBuffer): Bytes {
  if (typeof payload === 'string') return encoder.encode(payload);
  // By what it is, not by whose: test runners and edge runtimes have several realms.
  if (ArrayBuffer.isView(payload)) {
    const { buffer, byteOffset, byteLength } = payload;
    return new Uint8Array(new Uint8Array(buffer, byteOffset, byteLength));
  }
  if (Object.prototype.toString.call(payload) === '[object ArrayBuffer]') {
    return new Uint8Array(payload);
  }
  throw new WebhookVerificationError(
    'malformed_payload',
    'The payload must be the raw body, as text or bytes, not what was parsed of it',
  );
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isFetchHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) ? value[0] : value;
  if (text) return text;
  throw new WebhookVerificationError('missing_header', `The header ${name} is missing`);
}

const isFetchHeaders = (headers: WebhookHeaders): headers is Headers =>
  typeof headers.get === 'function';

/** The signatures of version 1 among those that are sent; others are for other algorithms. */
const signaturesOf = (header: string): Bytes[] =>
  header.split(' ').flatMap((part) => {
    const [version, text = ''] = part.split(',', 2);
    const bytes = version === 'v1' ? base64(text) : null;
    return bytes ? [bytes] : [];
  });

/** Standard Webhooks has 24 to 64 bytes. null and true are base64 when they are text: everybody knows these keys. */
function keyBytesOf(secret: unknown): Bytes {
  const bytes = typeof secret === 'string' ? base64(secret.replace(/^whsec_/, '')) : null;
  if (bytes && bytes.length >= SHORTEST_SECRET_BYTES) return bytes;
  throw new WebhookVerificationError(
    'invalid_secret',
    `The secret must be whsec_ and base64 of at least ${SHORTEST_SECRET_BYTES} bytes`,
  );
}

/** In a time that tells nothing of where they differ. */
function isEqual(a: Bytes, b: Bytes): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < b.length; index++) difference |= (a[index] ?? 0) ^ (b[index] ?? 0);
  return difference === 0;
}

function base64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Compared with what is no number, every time would be in time. */
function checkOptions({ toleranceSeconds = 0, nowMs = 0 }: VerifyOptions): void {
  if (Number.isFinite(nowMs) && typeof toleranceSeconds === 'number' && toleranceSeconds >= 0)
    return;
  throw new LeadwireError('toleranceSeconds must be a number, 0 or more, and nowMs a time', {
    code: 'invalid_option',
  });
}

function checkTime(
  timestamp: string,
  { toleranceSeconds = 300, nowMs = Date.now() }: VerifyOptions,
) {
  if (!/^\d{1,15}$/.test(timestamp)) {
    throw new WebhookVerificationError('invalid_timestamp', 'webhook-timestamp is no number');
  }
  const ageSeconds = Math.floor(nowMs / 1000) - Number(timestamp);
  if (ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError('timestamp_too_old', `Sent ${ageSeconds} s ago`);
  }
  if (ageSeconds < -toleranceSeconds) {
    throw new WebhookVerificationError('timestamp_too_new', `Sent ${-ageSeconds} s from now`);
  }
}

function joined(head: Bytes, body: Bytes): Bytes {
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
}

function eventOf(body: Bytes): WebhookEvent {
  try {
    const value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (isObject(value)) return value as unknown as WebhookEvent;
  } catch {
    // Said below.
  }
  throw new WebhookVerificationError(
    'malformed_payload',
    'The body is signed, but is no JSON object',
  );
}
