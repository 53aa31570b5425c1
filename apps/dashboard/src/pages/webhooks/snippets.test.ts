import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { NODE_SNIPPET, PYTHON_SNIPPET } from './snippets.ts';

const key = randomBytes(32);
const env = { ...process.env, LEADWIRE_WEBHOOK_SECRET: `whsec_${key.toString('base64')}` };
const body = '{"name":"Zoë","n":1}';
const now = Math.floor(Date.now() / 1000);

/** Standard Webhooks 1.0.0, written from its text. */
const signature = (id: string, timestamp: number, text: string, by = key): string =>
  `v1,${createHmac('sha256', by).update(`${id}.${timestamp}.${text}`).digest('base64')}`;

const request = (change: object = {}, sent = body) => ({
  headers: {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(now),
    'webhook-signature': signature('evt_1', now, body),
    ...change,
  },
  body: sent,
});
const other = signature('evt_1', now, body, randomBytes(32));

const CASES: [what: string, request: ReturnType<typeof request>, isOurs: boolean][] = [
  ['as sent', request(), true],
  [
    'signed with two secrets',
    request({ 'webhook-signature': `${other} ${signature('evt_1', now, body)}` }),
    true,
  ],
  ['another body', request({}, body.replace('1', '2')), false],
  ['another id', request({ 'webhook-id': 'evt_2' }), false],
  ['another secret', request({ 'webhook-signature': other }), false],
  [
    'too old',
    request({
      'webhook-timestamp': String(now - 400),
      'webhook-signature': signature('evt_1', now - 400, body),
    }),
    false,
  ],
  ['no number for a time', request({ 'webhook-timestamp': 'x' }), false],
  ['a signature beyond ASCII', request({ 'webhook-signature': 'v1,é' }), false],
  ['no headers', { headers: {}, body } as ReturnType<typeof request>, false],
];
const input = JSON.stringify(CASES.map(([, sent]) => sent));
const expected = CASES.map(([what, , isOurs]) => [what, isOurs]);
const named = (results: boolean[]) => CASES.map(([what], index) => [what, results[index]]);

const RUN_NODE = `
import { readFileSync } from 'node:fs';
const all = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(all.map(({ headers, body }) => isFromLeadwire(headers, Buffer.from(body)))));`;
const RUN_PYTHON = `
import json, sys
every = json.loads(sys.stdin.buffer.read())
print(json.dumps([is_from_leadwire(one["headers"], one["body"].encode()) for one in every]))`;

describe('the snippet that checks a signature takes what we sign and nothing else', () => {
  test('for Node', () => {
    const args = ['--input-type=module', '-e', NODE_SNIPPET + RUN_NODE];
    const { stdout, stderr } = spawnSync(process.execPath, args, { env, input, encoding: 'utf8' });
    assert.deepEqual(named(JSON.parse(stdout || 'null') ?? [stderr]), expected);
  });

  const hasPython = spawnSync('python3', ['-c', 'import sys']).status === 0;
  test('for Python', { skip: !hasPython && 'python3 is not installed here' }, () => {
    const args = ['-c', PYTHON_SNIPPET + RUN_PYTHON];
    const { stdout, stderr } = spawnSync('python3', args, { env, input, encoding: 'utf8' });
    assert.deepEqual(named(JSON.parse(stdout || 'null') ?? [stderr]), expected);
  });
});
