import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { parseJson } from '../../../platform/json/index.ts';

/** The parts of a request that a signature covers. */
export type SignedParts = {
  timestamp: string;
  method: string;
  path: string;
  query: string;
  body: string;
};

/** What somebody may have signed instead, and how to put it right. */
type Mistake = { lines: (parts: SignedParts) => string; advice: string };

const sha256 = (text: string): string => hash('sha256', text);

/** The five lines that the service signs. */
export const linesOf = ({ timestamp, method, path, query, body }: SignedParts): string[] => [
  timestamp,
  method,
  path,
  query,
  sha256(body),
];

const joined = (parts: SignedParts): string => linesOf(parts).join('\n');

/** A mistake that changes one part. */
const other = (change: (parts: SignedParts) => Partial<SignedParts>, advice: string): Mistake => ({
  lines: (parts) => joined({ ...parts, ...change(parts) }),
  advice,
});

/** A mistake in how the lines are made of the parts. */
const form = (lines: (parts: SignedParts) => string, advice: string): Mistake => ({
  lines,
  advice,
});

const BODY_MISTAKES: Mistake[] = [
  other(
    ({ body }) => ({ body: body.replace(/\r?\n$/, '') }),
    'The body that was signed lacks the line break at the end of the body that was sent. Sign the bytes that are sent: curl sends the line break of a file with --data-binary.',
  ),
  other(
    ({ body }) => ({ body: `${body}\n` }),
    'The body that was signed ends in a line break which the body that was sent does not have. Use printf %s, not echo, before hashing.',
  ),
  other(
    ({ body }) => ({ body: body.replace(/\r?\n/g, '') }),
    'The body was signed without its line breaks. curl drops those of a file with -d; send it with --data-binary.',
  ),
  other(
    ({ body }) => ({ body: body.replace(/\r\n/g, '\n') }),
    'The body was signed with line breaks of another kind (LF) than it was sent with (CRLF).',
  ),
  other(
    ({ body }) => ({ body: body.replace(/\r?\n/g, '\r\n') }),
    'The body was signed with line breaks of another kind (CRLF) than it was sent with (LF).',
  ),
  other(
    ({ body }) => ({ body: body.trim() }),
    'The body was signed without the spaces around it. Sign the bytes that are sent.',
  ),
  other(() => ({ body: '' }), 'An empty body was signed. Hash the body that is sent.'),
  ...[undefined, 1, 2, 4].map((indent) =>
    other(
      ({ body }) => ({ body: reserialised(body, indent) }),
      'The same JSON was signed in another form than it was sent. Serialise once, then sign and send those very bytes.',
    ),
  ),
  form(
    (parts) => [...linesOf(parts).slice(0, 4), parts.body].join('\n'),
    'The fifth line that was signed is the body itself. It must be the lower-case hex SHA-256 of the body.',
  ),
  form(
    (parts) => [...linesOf(parts).slice(0, 4), sha256(parts.body).toUpperCase()].join('\n'),
    'The hash of the body in the fifth line is upper-case hex. Write it in lower case.',
  ),
  form(
    (parts) => [...linesOf(parts).slice(0, 4), hash('sha256', parts.body, 'base64')].join('\n'),
    'The hash of the body in the fifth line is base64. Write it in lower-case hex.',
  ),
];

const LINE_MISTAKES: Mistake[] = [
  other(
    ({ path, query }) => ({ path: query ? `${path}?${query}` : path, query: '' }),
    'Path and query were signed as one line. The third line is the path alone; the fourth is the query without its question mark.',
  ),
  other(
    ({ query }) => ({ query: `?${query}` }),
    'The query was signed with its question mark. The fourth line is what follows the question mark.',
  ),
  other(() => ({ query: '' }), 'The query was not signed. It is the fourth line.'),
  other(
    ({ query }) => ({ query: query.split('&').sort().join('&') }),
    'The parameters of the query were sorted before signing. Sign the query as it is sent.',
  ),
  other(
    ({ path, query }) => ({ path: decoded(path), query: decoded(query) }),
    'Path or query were signed decoded. Sign them as they are sent, with their percent signs.',
  ),
  other(
    ({ path }) => ({ path: path.endsWith('/') ? path.slice(0, -1) : `${path}/` }),
    'The path was signed with another ending: a slash at its end counts.',
  ),
  other(
    ({ path }) => ({ path: path.replace(/^\/api\/v1/, '') }),
    'The path was signed without /api/v1. Sign the whole path as it is sent.',
  ),
  other(
    ({ method }) => ({ method: method.toLowerCase() }),
    'The method was signed in lower case. The second line is in upper case.',
  ),
  other(
    ({ timestamp }) => ({ timestamp: `${timestamp}000` }),
    'The timestamp was signed in milliseconds but sent in seconds. Both must be the same Unix seconds.',
  ),
  form((parts) => {
    const [timestamp, method, path, , body] = linesOf(parts);
    return [timestamp, method, path, body].join('\n');
  }, 'Four lines were signed. Without a query the fourth of the five lines is empty, and still there.'),
  form(
    (parts) => `${joined(parts)}\n`,
    'A line break follows the fifth line. Use printf %s, not echo.',
  ),
  form(
    (parts) => linesOf(parts).join('\r\n'),
    'The lines are joined by CRLF. Join them by LF alone.',
  ),
  form(
    (parts) => linesOf(parts).join('\\n'),
    "The lines are joined by a backslash and an n instead of a line break. In a shell use printf or $'\\n'.",
  ),
  form(
    (parts) => linesOf(parts).join(''),
    'The lines are joined by nothing. Join them by line breaks.',
  ),
  form(
    (parts) => linesOf(parts).join('.'),
    'The lines are joined by dots. Join them by line breaks.',
  ),
];

export const MISTAKES: readonly Mistake[] = [...BODY_MISTAKES, ...LINE_MISTAKES];

const NONE = Buffer.alloc(0);

/** Ways in which the 32 bytes of a signature are written, the right one first. */
const SPELLINGS: { bytes: (signature: string) => Buffer; advice: string | null }[] = [
  {
    bytes: (text) => (/^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : NONE),
    advice: null,
  },
  {
    bytes: (text) => (/^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : NONE),
    advice: 'The signature is written in upper-case hex. Write it in lower case.',
  },
  {
    bytes: (text) => (/^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : NONE),
    advice: 'The signature is written in base64. Write it in lower-case hex.',
  },
  {
    bytes: (text) =>
      Buffer.from(/^\s*(?:v1[,=]|sha256=|0x)?\s*([0-9a-f]{64})\s*$/i.exec(text)?.[1] ?? '', 'hex'),
    advice: 'The signature has more around it than its 64 digits. Send the digits alone.',
  },
];

/** The signatures that a text may stand for, each once, with what is wrong with its spelling. */
export function readSpellings(signature: string): { bytes: Buffer; advice: string | null }[] {
  const found: { bytes: Buffer; advice: string | null }[] = [];
  for (const { bytes, advice } of SPELLINGS) {
    const read = bytes(signature);
    if (read.length !== 32 || found.some((one) => one.bytes.equals(read))) continue;
    found.push({ bytes: read, advice });
  }
  return found;
}

/** Whether `bytes` are the HMAC-SHA256 of a text; in constant time. */
export const isHmacOf = (bytes: Buffer, text: string, secret: KeyObject): boolean =>
  timingSafeEqual(createHmac('sha256', secret).update(text).digest(), bytes);

function reserialised(body: string, indent: number | undefined): string {
  try {
    return JSON.stringify(parseJson(body), null, indent);
  } catch {
    return body;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
