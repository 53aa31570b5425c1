import { createSecretKey, type KeyObject } from 'node:crypto';
import { LIMITS } from '@leadwire/contract';
import type { DashboardApi, SignatureCheck } from '@leadwire/contract/dashboard';
import { type Clock, formatMicros } from '../../../platform/clock/index.ts';
import type { SecretBox } from '../../../platform/crypto/index.ts';
import { type Database, timestampToIso } from '../../../platform/database/index.ts';
import { findSealed, type SealedKeyRow } from '../repository/managed.ts';
import { isHmacOf, linesOf, MISTAKES, readSpellings, type SignedParts } from './mistakes.ts';

/** A request as its sender describes it. */
export type CheckedRequest = DashboardApi['checkSignature']['body'];

const LINES = ['timestamp', 'method', 'path', 'query', 'SHA-256 of the body'] as const;
/** With the secrets of so many other keys of the account the signature is compared. */
const OTHER_KEYS = 50;

export type SignatureChecker = ReturnType<typeof createSignatureChecker>;

/**
 * Finds out why a signature is refused. It only compares the signature that it is given: nothing that it answers could
 * be sent as a signature, whatever it is asked.
 */
export function createSignatureChecker(deps: {
  database: Database;
  secrets: SecretBox;
  clock: Clock;
}) {
  const open = (row: SealedKeyRow): KeyObject =>
    createSecretKey(deps.secrets.open(row.secret_encrypted, row.public_key), 'ascii');

  return async (accountId: string, request: CheckedRequest): Promise<SignatureCheck> => {
    const nowMicros = deps.clock.nowMicros();
    const parts = partsOf(request);
    const isNumber = /^\d{1,15}$/.test(request.timestamp);
    const skew = isNumber ? Number(request.timestamp) - Math.floor(nowMicros / 1e6) : null;
    const publicKey = request.public_key.trim();
    const limit = OTHER_KEYS + 1;
    const rows = await findSealed(deps.database, { accountId, publicKey, limit });
    const others = rows.filter((row) => row.public_key !== publicKey);
    const row = rows.find((one) => one.public_key === publicKey);
    const judged = judge({ request, parts, skew, row, others, open, now: formatMicros(nowMicros) });
    return {
      ...judged,
      server_time: formatMicros(nowMicros),
      skew_seconds: skew,
      expected: linesOf(parts).map((value, index) => ({ name: LINES[index] ?? '', value })),
      differences: differencesOf(request.string_to_sign, linesOf(parts)),
    };
  };
}

type Judged = Pick<SignatureCheck, 'verdict' | 'message'>;

/** In the order in which the service itself refuses: key, clock, signature. */
function judge(given: {
  request: CheckedRequest;
  parts: SignedParts;
  skew: number | null;
  row: SealedKeyRow | undefined;
  others: SealedKeyRow[];
  open: (row: SealedKeyRow) => KeyObject;
  now: string;
}): Judged {
  const { request, skew, row, now } = given;
  const unusable = row ? whyUnusable(row, now) : UNKNOWN;
  if (!row || unusable !== null) return { verdict: 'unknown_key', message: unusable ?? UNKNOWN };
  if (skew === null) return { verdict: 'timestamp_malformed', message: TIMESTAMP_FORM };
  const mistake = findMistake({ ...given, row });
  if (Math.abs(skew) > LIMITS.signatureWindowSeconds) {
    return {
      verdict: 'expired',
      message: `${clockAdvice(request.timestamp, skew)} ${restOf(mistake)}`,
    };
  }
  return mistake === null
    ? { verdict: 'valid', message: 'The signature is right: the service takes this request.' }
    : { verdict: 'mismatch', message: mistake };
}

const UNKNOWN =
  'This account has no key with this public key. Compare it with the list of API keys, letter by letter.';
const TIMESTAMP_FORM =
  'X-Leadwire-Timestamp must be Unix time in whole seconds, digits alone, e.g. the output of date +%s.';
const NOT_FOUND_OUT =
  'The signature is not that of this request with the secret of this key, and none of the usual mistakes explains it. ' +
  'Check that the secret belongs to this public key and is used as it is, as text; then compare the five lines below with yours.';

const OTHER_SECRET =
  'The signature is not that of this request, nor that of the text which the sender says was signed, with the secret of this key: ' +
  'another secret was used, or not as text. Check that the secret belongs to this public key.';

function whyUnusable({ revoked_at: revoked, expires_at: expires }: SealedKeyRow, now: string) {
  if (revoked !== null)
    return `This key was revoked at ${timestampToIso(revoked)}. Use another key.`;
  if (expires === null || timestampToIso(expires) > now) return null;
  return `This key expired at ${timestampToIso(expires)}. Use another key.`;
}

function clockAdvice(timestamp: string, skew: number): string {
  if (timestamp.length === 13) {
    return 'X-Leadwire-Timestamp is in milliseconds; it must be in whole seconds.';
  }
  const direction = skew < 0 ? 'behind' : 'ahead of';
  return (
    `The timestamp is ${Math.abs(skew)} seconds ${direction} the time here; ${LIMITS.signatureWindowSeconds} are allowed. ` +
    'Sign each attempt anew when it is sent, and check the clock of the sender.'
  );
}

const restOf = (mistake: string | null): string =>
  mistake === null ? 'Apart from that the signature is right.' : `Besides: ${mistake}`;

/** What is wrong with a signature, as far as it can be told; null where it is right. */
function findMistake(given: {
  request: CheckedRequest;
  parts: SignedParts;
  row: SealedKeyRow;
  others: SealedKeyRow[];
  open: (row: SealedKeyRow) => KeyObject;
}): string | null {
  const { request, parts, row, others, open } = given;
  const spellings = readSpellings(request.signature);
  if (spellings.length === 0) {
    return 'The signature is not 64 digits of lower-case hex, nor the same in another spelling. It must be the HMAC-SHA256 in hex.';
  }
  for (const { bytes, advice } of spellings) {
    const found = (text: string, secret: KeyObject) => isHmacOf(bytes, text, secret);
    const cause = findCause(found, { request, parts, secret: open(row) });
    if (cause !== undefined) return [cause, advice].filter(Boolean).join(' ') || null;
    const owner = others.find((one) => found(linesOf(parts).join('\n'), open(one)));
    if (owner) return otherSecret(owner);
  }
  return request.string_to_sign === undefined ? NOT_FOUND_OUT : OTHER_SECRET;
}

const otherSecret = ({ name, public_key: publicKey }: SealedKeyRow): string =>
  `The signature was made with the secret of another key of this account, "${name}" (${publicKey}). Send that public key, or sign with the secret of this one.`;

/** @returns '' where nothing is wrong with what was signed; undefined where no cause explains the signature */
function findCause(
  found: (text: string, secret: KeyObject) => boolean,
  { request, parts, secret }: { request: CheckedRequest; parts: SignedParts; secret: KeyObject },
): string | undefined {
  if (found(linesOf(parts).join('\n'), secret)) return '';
  const mistake = MISTAKES.find(({ lines }) => found(lines(parts), secret));
  if (mistake) return mistake.advice;
  const given = request.string_to_sign;
  if (given !== undefined && found(given, secret)) {
    return 'Secret and HMAC are right, but another text was signed than the service signs: see the lines that differ.';
  }
  const bare = secret
    .export()
    .toString('ascii')
    .replace(/^lwsk_/, '');
  if (found(linesOf(parts).join('\n'), createSecretKey(bare, 'ascii'))) {
    return 'The secret was used without its beginning lwsk_. It is the key as a whole, as text.';
  }
  return undefined;
}

/** The service takes method and target as they come; what was pasted may be a whole address. */
function partsOf({ timestamp, method, target, body }: CheckedRequest): SignedParts {
  const sent = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const mark = sent.indexOf('?');
  return {
    timestamp,
    method: method.trim().toUpperCase(),
    path: (mark < 0 ? sent : sent.slice(0, mark)) || '/',
    query: mark < 0 ? '' : sent.slice(mark + 1),
    body,
  };
}

function differencesOf(given: string | undefined, expected: string[]) {
  if (given === undefined) return null;
  const lines = given.split('\n');
  return Array.from({ length: Math.max(lines.length, expected.length) }, (_, index) => ({
    line: index + 1,
    name: LINES[index] ?? 'nothing',
    expected: expected[index] ?? '',
    given: lines[index] ?? null,
  })).filter((line) => line.given !== line.expected || line.line > expected.length);
}
