import { isUtf8 } from 'node:buffer';
import { LIMITS } from '@leadwire/contract';
import type { FieldError } from '../../../platform/errors/index.ts';
import { parseJsonBody } from '../../../platform/http/index.ts';
import { isDeeperThan } from '../../../platform/json/index.ts';
import { fieldError, tooManyInputs, unreadable } from './errors.ts';

/** One input as it was sent; of JSON its value may be anything. */
export type Entry = [name: string, value: unknown];

/** What was sent, in its order, and what of it cannot be a value. */
export type Submission = { entries: Entry[]; errors: FieldError[] };

export const MAX_INPUTS = 200;

type Head = { contentType: string | undefined; contentEncoding: string | undefined };

/**
 * Reads the body of a submission: application/x-www-form-urlencoded, multipart/form-data without files, and whatever else its
 * Content-Type says as one JSON object.
 * @throws AppError 400 where nothing of it can be read, or it has more than MAX_INPUTS inputs
 */
export async function readSubmission(bytes: Buffer | undefined, head: Head): Promise<Submission> {
  const type = (head.contentType ?? '').split(';', 1)[0]?.trim().toLowerCase();
  const isForm = type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data';
  if (!isForm) return readJson(bytes, head.contentEncoding);
  if (head.contentEncoding && head.contentEncoding !== 'identity') {
    throw unreadable('the body must not be compressed');
  }
  const body = bytes ?? Buffer.alloc(0);
  return type === 'multipart/form-data'
    ? readMultipart(body, head.contentType as string)
    : readUrlEncoded(body);
}

function readUrlEncoded(body: Buffer): Submission {
  if (!isUtf8(body)) throw unreadable('the body is not valid UTF-8');
  const text = body.toString();
  let inputs = 1;
  // Counted before anything is decoded: a body has room for a hundred thousand.
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    if (++inputs > MAX_INPUTS) throw tooManyInputs(MAX_INPUTS);
  }
  const wasSent = /%EF%BF%BD|\uFFFD/i.test(text);
  return checked([...new URLSearchParams(text)], wasSent);
}

async function readMultipart(body: Buffer, contentType: string): Promise<Submission> {
  const form = await new Response(body as Buffer<ArrayBuffer>, {
    headers: { 'content-type': contentType },
  })
    .formData()
    .catch(() => {
      throw unreadable('the body is not valid multipart/form-data');
    });
  return checked([...form], body.includes('\uFFFD'));
}

function readJson(body: Buffer | undefined, contentEncoding: string | undefined): Submission {
  const value = parseJsonBody(body, contentEncoding);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unreadable('the body must be a JSON object with a member for each input');
  }
  return checked(Object.entries(value), true);
}

/** @param mayHoldReplacement false: U+FFFD was not sent, so it stands for bytes that are no UTF-8 */
function checked(all: Entry[], mayHoldReplacement: boolean): Submission {
  if (all.length > MAX_INPUTS) throw tooManyInputs(MAX_INPUTS);
  const entries: Entry[] = [];
  const errors: FieldError[] = [];
  for (const [name, value] of all) {
    if (value instanceof File) {
      // What a browser sends for a file input that was left empty.
      if (value.size === 0 && value.name === '') continue;
      errors.push(fieldError(name, 'type', `${name} must not be a file`));
      continue;
    }
    if (isDeeperThan(value, LIMITS.customFieldsDepth)) {
      const message = `${name} must be at most ${LIMITS.customFieldsDepth} levels deep`;
      errors.push(fieldError(name, 'too_deep', message));
      continue;
    }
    entries.push([name, value]);
    if (mayHoldReplacement || typeof value !== 'string' || !value.includes('\uFFFD')) continue;
    errors.push(fieldError(name, 'invalid_characters', `${name} must be sent as UTF-8`));
  }
  return { entries, errors };
}
