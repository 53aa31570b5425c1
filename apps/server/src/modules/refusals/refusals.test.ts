import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createWaiting } from '../../platform/waiting/index.ts';
import { redact } from './redact.ts';
import type { Refused } from './refused.ts';

describe('what is kept of a failure', () => {
  test('is no message and no field that is not known to be plain, so that a new one cannot leak', () => {
    const code = 'a_new_code';
    assert.deepEqual(redact({ status: 400, code, message: 'Ada is wrong' }), {
      ...{ status: 400, reason: 'other', message: 'The request was refused.', fields: [] },
    });
    const errors = [{ path: 'phone', code, message: 'phone +4915112 is wrong' }];
    const kept = redact({ status: 400, code: 'phone +4915112 is wrong', message: '', errors });
    assert.deepEqual(kept.fields, [
      { path: 'phone', code: 'other', message: 'phone is not valid' },
    ]);
    assert.equal(kept.message, 'phone is not valid');
    const json = redact({ status: 400, code: 'malformed_json', message: 'A new one: Ada' });
    assert.equal(json.message, 'The body is not valid JSON.');
  });

  test('is at most twenty fields, each of at most three hundred characters', () => {
    const errors = Array.from({ length: 50 }, () => ({
      ...{ path: 'phone', code: 'format', message: `phone ${'x'.repeat(400)}` },
    }));
    const kept = redact({ status: 400, code: '', message: '', errors });
    assert.equal(kept.fields.length, 20);
    assert.ok(
      [kept.message, ...kept.fields.map(({ message }) => message)].every(
        (text) => text.length <= 300,
      ),
    );
  });
});

describe('what waits to be written', () => {
  const keyOf = ({ keyId }: Refused) => keyId;
  const refused = (keyId: string, row: number) => ({ keyId, row }) as Refused;
  const rowsOf = (items: Refused[], key: string) =>
    items.filter(({ keyId }) => keyId === key).map(({ row }) => row);

  test('is the newest of each key, in their order', () => {
    const waiting = createWaiting({ perKey: 3, max: 100, keyOf });
    for (let n = 0; n < 5; n++) waiting.add(refused('a', n));
    waiting.add(refused('b', 0));
    const { items, dropped } = waiting.take();
    assert.deepEqual([rowsOf(items, 'a'), rowsOf(items, 'b'), dropped], [[2, 3, 4], [0], 0]);
    assert.deepEqual(waiting.take().items, []);
  });

  test('never grows beyond its bound: a key makes room for its own newest, others are dropped', () => {
    const waiting = createWaiting({ perKey: 3, max: 4, keyOf });
    for (let n = 0; n < 3; n++) waiting.add(refused('a', n));
    for (let n = 0; n < 3; n++) waiting.add(refused('b', n));
    waiting.add(refused('c', 0));
    const { items, dropped } = waiting.take();
    assert.deepEqual([rowsOf(items, 'a'), rowsOf(items, 'b'), dropped], [[0, 1, 2], [2], 1]);
  });
});
