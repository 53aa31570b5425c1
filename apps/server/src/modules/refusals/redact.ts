import type { Refusal } from '@leadwire/contract/dashboard';
import type { FieldError } from '../../platform/errors/index.ts';

/** What a refused request was answered: an AppError, or the part of one that a row of a batch shows. */
export type Failure = {
  status: number;
  code: string;
  message: string;
  errors?: readonly FieldError[] | undefined;
};

const MAX_FIELDS = 20;
const MAX_MESSAGE = 300;

/** Messages that hold nothing of what was sent. What is not on a list is not kept: a new message cannot leak by being forgotten. */
const PLAIN_REASONS =
  /^(?:missing_auth|invalid_public_key|invalid_bearer|invalid_signature|signature_expired|rate_limited|scope_required:[a-z:]+|not_found|conflict|origin_not_allowed|looks_automated|invalid_google_key|empty_body|payload_too_large|bad_request|webhook_limit_reached|internal_error|unavailable)$/;
const PLAIN_CODES = new Set([
  ...['required', 'type', 'range', 'empty', 'too_long', 'enum', 'format', 'too_few', 'too_many'],
  ...['repeated', 'unknown_field', 'fixed', 'invalid_characters', 'too_deep', 'count', 'target'],
  ...['unknown_campaign', 'over_rate_limit', 'unknown_cursor', 'conflict'],
]);

/** Sentences about JSON that hold a piece of it, and how they read without. */
const JSON_SENTENCES: [RegExp, string][] = [
  [/^The body is not valid JSON(?: at position \d+(?: \(line \d+ column \d+\))?)?\.$/, '$&'],
  [/^The body (?:is not valid UTF-8|starts with a byte order mark; [\w -]+)\.$/, '$&'],
  [/^The body has the key .* twice\.$/s, 'The body has a key twice in one object.'],
  [
    /^The number .* cannot be kept exactly; send it as a string\.$/s,
    'The body has a number that cannot be kept exactly; send it as a string.',
  ],
  [
    /^Content-Encoding .* is not supported; send plain JSON\.$/s,
    'The Content-Encoding of the request is not supported; send plain JSON.',
  ],
];

/** A stable word for why a request was refused: its error code, `validation` where that is a summary of failures. */
export function reasonOf({ code, errors }: Failure): string {
  if (errors) return 'validation';
  return PLAIN_REASONS.test(code) || code === 'malformed_json' ? code : 'other';
}

/**
 * What may be kept of a failure: nothing that the sender chose, but names of fields that read like names of fields. `known`: names that
 * the account itself chose.
 */
export function redact(
  failure: Failure,
  known: ReadonlySet<string> = NONE,
): Pick<Refusal, 'status' | 'reason' | 'message' | 'fields'> {
  const fields = (failure.errors ?? [])
    .slice(0, MAX_FIELDS)
    .map((error) => redactField(error, known));
  const reason = reasonOf(failure);
  return { status: failure.status, reason, message: messageOf(failure, reason, fields), fields };
}

function messageOf({ message }: Failure, reason: string, fields: FieldError[]): string {
  if (reason === 'validation') {
    return cut(fields.map((field) => field.message).join(', '));
  }
  if (reason === 'malformed_json') {
    const [form, shown] = JSON_SENTENCES.find(([known]) => known.test(message)) ?? [];
    return form && shown ? message.replace(form, shown) : 'The body is not valid JSON.';
  }
  return reason === 'other' ? 'The request was refused.' : cut(message);
}

const NONE: ReadonlySet<string> = new Set();

function redactField({ path, code, message }: FieldError, known: ReadonlySet<string>): FieldError {
  const mayBeNamed = known.has(path) || isPlain(path, code);
  if (!PLAIN_CODES.has(code)) {
    const shown = mayBeNamed ? path : UNNAMED;
    return { path: shown, code: 'other', message: `${shown} is not valid` };
  }
  if (mayBeNamed) return { path, code, message: cut(message) };
  const rest = message.startsWith(`${path} `) ? message.slice(path.length) : ' is not valid';
  return { path: UNNAMED, code, message: cut(UNNAMED + rest) };
}

const UNNAMED = 'a field whose name is not kept';

/** Words as programmers write them, e.g. `first_name`, `firstName`, `events.0`, `_consent`: letters alone, so no phone and no address. */
function isPlain(path: string, code: string): boolean {
  if (path === '') return true;
  const parts = path.split('.');
  return parts.every(
    (part, index) =>
      (part.length <= 40 && /^_?[a-z]+(?:_[a-z]+|[A-Z][a-z]+)*$/.test(part)) ||
      (code !== 'unknown_field' && index > 0 && /^\d{1,4}$/.test(part)) ||
      // The prefix of a sum: `address.` stands for 3 more unknown fields in address.
      (part === '' && index === parts.length - 1),
  );
}

const cut = (text: string): string =>
  text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE - 1).toWellFormed()}…`;
