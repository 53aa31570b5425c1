import { isUtf8 } from 'node:buffer';
import { emptyBody, malformedJson } from '../errors/index.ts';
import { findLostNumber, parseJson, quoteLostNumbers } from '../json/index.ts';
import { findDuplicateKey } from './duplicate-keys.ts';

/**
 * Reads a request body as JSON (RFC 8259) without losing anything: what JSON.parse would quietly drop or round,
 * a repeated key or an integer beyond 2^53, is refused.
 * @throws AppError 400 `empty_body` or `malformed_json`, with a message that says where.
 */
export function parseJsonBody(body: Buffer | undefined, contentEncoding?: string): unknown {
  return parseJsonText(decodeBody(body, contentEncoding));
}

/** The text of a body. @throws AppError 400 where it is empty, compressed or not plain UTF-8. */
export function decodeBody(body: Buffer | undefined, contentEncoding?: string): string {
  if (contentEncoding && contentEncoding !== 'identity') {
    throw malformedJson(`Content-Encoding ${contentEncoding} is not supported; send plain JSON.`);
  }
  if (!body || body.length === 0) throw emptyBody();
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) {
    throw malformedJson('The body starts with a byte order mark; send UTF-8 without one.');
  }
  if (!isUtf8(body)) throw malformedJson('The body is not valid UTF-8.');
  return body.toString('utf8');
}

/** The same for text that is known to be UTF-8, e.g. one line of a batch. */
export function parseJsonText(text: string): unknown {
  const { value, hasRiskyNumber } = parseUnique(text);
  if (hasRiskyNumber) refuseLostDigits(text);
  return value;
}

/**
 * The same for senders who cannot choose how they write their ids: a number that would lose digits is not refused but comes out as a
 * string of them.
 */
export function parseJsonBodyKeepingDigits(
  body: Buffer | undefined,
  contentEncoding?: string,
): unknown {
  const text = decodeBody(body, contentEncoding);
  const { value, hasRiskyNumber } = parseUnique(text);
  // Only of text that was valid as it came: quoting could make what is none valid.
  return hasRiskyNumber ? parse(quoteLostNumbers(text)) : value;
}

/** @throws AppError 400 also for a key that stands twice in an object */
function parseUnique(text: string): { value: unknown; hasRiskyNumber: boolean } {
  const value = parse(text);
  const { members, hasRiskyNumber } = scan(text);
  if (members !== countMembers(value)) {
    throw malformedJson(`The body has the key ${JSON.stringify(findDuplicateKey(text))} twice.`);
  }
  return { value, hasRiskyNumber };
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    // V8 quotes the body in its message; a lead's data has no place in one.
    const place = /at position \d+(?: \(line \d+ column \d+\))?/.exec((error as Error).message);
    throw malformedJson(`The body is not valid JSON${place ? ` ${place[0]}` : ''}.`);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Counts the members of all objects in valid JSON, and looks for numbers that a double may not hold. */
function scan(text: string): { members: number; hasRiskyNumber: boolean } {
  let members = 0;
  let digits = 0;
  let hasRiskyNumber = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      digits = 0;
      for (i++; text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++;
    } else if (code >= 0x30 && code <= 0x39) {
      if (++digits > 15) hasRiskyNumber = true;
    } else {
      if (digits > 0 && (code === 0x65 || code === 0x45)) hasRiskyNumber = true;
      digits = 0;
      if (code === COLON) members++;
    }
  }
  return { members, hasRiskyNumber };
}

function countMembers(root: unknown): number {
  let members = 0;
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) members += Object.keys(value).length;
    for (const inner of Object.values(value)) if (typeof inner === 'object') open.push(inner);
  }
  return members;
}

function refuseLostDigits(text: string): void {
  const source = findLostNumber(text);
  if (source === null) return;
  const shown = source.length > 40 ? `${source.slice(0, 40)}…` : source;
  throw malformedJson(`The number ${shown} cannot be kept exactly; send it as a string.`);
}
