import { isUtf8 } from 'node:buffer';
import { emptyBody, malformedJson } from '../errors/index.ts';
import { parseJson } from '../json/index.ts';
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
  const value = parse(text);
  const { members, hasRiskyNumber } = scan(text);
  if (members !== countMembers(value)) {
    throw malformedJson(`The body has the key ${JSON.stringify(findDuplicateKey(text))} twice.`);
  }
  if (hasRiskyNumber) refuseLostDigits(text);
  return value;
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

const NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function refuseLostDigits(text: string): void {
  for (const [source] of text.matchAll(NUMBER)) {
    if (source.startsWith('"') || isKept(source)) continue;
    const shown = source.length > 40 ? `${source.slice(0, 40)}…` : source;
    throw malformedJson(`The number ${shown} cannot be kept exactly; send it as a string.`);
  }
}

/** Whether a double says the same as the number that was sent; digits after the seventeenth of a fraction may go. */
function isKept(source: string): boolean {
  const value = Number(source);
  if (!Number.isFinite(value)) return false;
  if (Number.isSafeInteger(value) && value !== 0) return true;
  if (value !== 0 && !Number.isInteger(value)) return true;
  return toScientific(source) === toScientific(String(value));
}

/** The digits of a decimal number without outer zeros, and its exponent: 1200 and 1.2e3 are both 12e2. */
function toScientific(decimal: string): string {
  const [, integer = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(decimal) ?? [];
  const digits = (integer + fraction).replace(/^0+/, '');
  // Not /0+$/: on digits with many zeros inside its time grows with their square, a body's worth blocks for a minute.
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  const significant = digits.slice(0, end);
  if (significant === '') return '0';
  const shift = digits.length - significant.length - fraction.length;
  return `${significant}e${Number(exponent) + shift}`;
}
