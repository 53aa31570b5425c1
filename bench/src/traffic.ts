import { createHash, createHmac } from 'node:crypto';
import { batchBody, leadBody } from './lead.ts';
import type { Key } from './leadwire.ts';
import type { NextRequest } from './load.ts';
import {
  createBody,
  createRequest,
  ID,
  SIGNATURE,
  TIME,
  writeNumber,
  writeNumbers,
  writeText,
} from './request.ts';

/** What one connection sends: called once a connection, see Load. */
export type Traffic = () => NextRequest;

/** Counts up through the run, so that no two new leads share a number. */
export type Counter = { next: () => number; value: () => number };

export const LEADS_PATH = '/api/v1/insertion/leads';

export function createCounter(from: number): Counter {
  let value = from;
  return { next: () => value++, value: () => value };
}

/** Numbers from…to−1, again and again. */
export function createCycle(from: number, to: number): () => number {
  let at = from - 1;
  return () => {
    at = at + 1 < to ? at + 1 : from;
    return at;
  };
}

export const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });

/** Single posts; a revision other than 0 changes a custom field of a lead that is known. */
export function posts(
  headers: Record<string, string>,
  number: () => number,
  revision: () => number = () => 0,
): Traffic {
  const request = createRequest({ method: 'POST', path: LEADS_PATH, headers, body: leadBody });
  return () => {
    const bytes = request.copy();
    return () => {
      writeNumbers(bytes, request.numbers, number());
      writeNumbers(bytes, request.revisions, revision());
      return bytes;
    };
  };
}

/**
 * Posts signed with HMAC. `sign(count)` signs the next `count` leads beforehand: signing costs
 * about as much as sending, and would be measured as the server's slowness.
 */
export function signedPosts(key: Key, counter: Counter): Traffic & { sign(count: number): void } {
  const request = createRequest({
    method: 'POST',
    path: LEADS_PATH,
    headers: {
      'X-Leadwire-Public-Key': key.public_key,
      'X-Leadwire-Timestamp': TIME,
      'X-Leadwire-Signature': SIGNATURE,
    },
    body: leadBody,
  });
  const signNext = createSigner(key, counter);
  let signed: Signed[] = [];
  const traffic = () => {
    const bytes = request.copy();
    writeNumbers(bytes, request.revisions, 0);
    return () => {
      const next = signed.pop() ?? signNext();
      writeNumbers(bytes, request.numbers, next.number);
      writeText(bytes, request.times, next.time);
      writeText(bytes, request.signatures, next.signature);
      return bytes;
    };
  };
  return Object.assign(traffic, {
    sign(count: number) {
      signed = Array.from({ length: count }, signNext);
    },
  });
}

type Signed = { number: number; time: string; signature: string };

function createSigner(key: Key, counter: Counter): () => Signed {
  const body = createBody(leadBody);
  writeNumbers(body.bytes, body.revisions, 0);
  return () => {
    const number = counter.next();
    const time = String(Math.floor(Date.now() / 1000));
    writeNumbers(body.bytes, body.numbers, number);
    const digest = createHash('sha256').update(body.bytes).digest('hex');
    const signature = createHmac('sha256', key.secret_key)
      .update(`${time}\nPOST\n${LEADS_PATH}\n\n${digest}`)
      .digest('hex');
    return { number, time, signature };
  };
}

/** Batches of `size` new leads. */
export function batches(secret: string, size: number, number: () => number): Traffic {
  const path = `${LEADS_PATH}/batch`;
  const body = batchBody(size);
  const request = createRequest({ method: 'POST', path, headers: bearer(secret), body });
  const marksOfLead = request.numbers.length / size;
  return () => {
    const bytes = request.copy();
    for (const offset of request.revisions) writeNumber(bytes, offset, 0);
    return () => {
      for (let lead = 0; lead < size; lead += 1) {
        const from = lead * marksOfLead;
        const value = number();
        for (let mark = 0; mark < marksOfLead; mark += 1) {
          writeNumber(bytes, request.numbers[from + mark] as number, value);
        }
      }
      return bytes;
    };
  };
}

/** Reads by UUID where `ids` are given, else of `path`, in which a number mark may stand. */
export function reads(
  secret: string,
  path: string,
  number: () => number,
  ids: string[] = [],
): Traffic {
  const request = createRequest({ method: 'GET', path, headers: bearer(secret) });
  return () => {
    const bytes = request.copy();
    return () => {
      const next = number();
      writeNumbers(bytes, request.numbers, next);
      if (request.ids.length > 0) writeText(bytes, request.ids, ids[next] as string);
      return bytes;
    };
  };
}

export const BY_ID = `${LEADS_PATH}/${ID}`;
