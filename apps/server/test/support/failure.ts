import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from './call.ts';

type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

const FIELDS = ['ok', 'error', 'message', 'request_id', 'errors', 'details'];

// What a client must never see: stacks, file names, SQL, names of our parts.
const INTERNAL =
  /\bat \S+ \(|node_modules|file:\/\/|\.ts\b|\b(SELECT|INSERT|UPDATE|RETURNING)\b|FST_ERR|ERR_|ECONN|pg_|postgres|fastify|redis|undefined|\[object/i;

/**
 * Asserts that an answer is a failure in the one form that all of them have (contract section 6).
 * @param request what was sent, for the message of a failed assertion
 * @returns the parsed body
 */
export function assertFailure(
  answer: Answer,
  status: number,
  error: string | RegExp,
  request = '',
): Json {
  const seen = `${request} ${answer.status} ${answer.text}`;
  assert.equal(answer.status, status, seen);
  assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/, seen);
  const body = JSON.parse(answer.text);
  assert.equal(body.ok, false, seen);
  if (typeof error === 'string') assert.equal(body.error, error, seen);
  else assert.match(body.error, error, seen);
  assert.ok(typeof body.message === 'string' && body.message !== '', seen);
  assert.equal(body.request_id, answer.headers['x-request-id'], seen);
  assert.ok(body.request_id, seen);
  for (const name of Object.keys(body)) assert.ok(FIELDS.includes(name), `${name} in ${seen}`);
  assertNothingInternal(answer.text);
  return body;
}

/** Asserts that a text for the outside world names nothing of the inside. */
export function assertNothingInternal(text: string): void {
  assert.doesNotMatch(text, INTERNAL);
}

/** The answers in what came back over a socket, in their order. */
export function parseAnswers(received: string): Answer[] {
  const answers: Answer[] = [];
  let rest = received;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    assert.ok(end > 0, `no HTTP answer: ${JSON.stringify(received)}`);
    const [start = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers: IncomingHttpHeaders = {};
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    rest = rest.slice(end + 4);
    const [text, length] = /chunked/i.test(headers['transfer-encoding'] ?? '')
      ? readChunks(rest)
      : readLength(rest, Number(headers['content-length'] ?? 0));
    answers.push({ status: Number(start.split(' ')[1]), headers, text });
    rest = rest.slice(length);
  }
  return answers;
}

const readLength = (rest: string, length: number): [text: string, length: number] => [
  rest.slice(0, length),
  length,
];

function readChunks(rest: string): [text: string, length: number] {
  let text = '';
  let at = 0;
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at);
    assert.ok(lineEnd > 0, 'a chunk without its length');
    const size = Number.parseInt(rest.slice(at, lineEnd), 16);
    text += rest.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 2 + size + 2;
    if (size === 0) return [text, at];
  }
}
