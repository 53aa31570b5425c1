import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AppError } from '../errors/index.ts';
import { isTransient, isUnavailable, NotPrimaryError, retryTransient } from './failures.ts';

const failure = (code: string, message = 'failed') => Object.assign(new Error(message), { code });

/** Time that passes only by waiting. */
function createRetry(forMs: number) {
  let now = 1_000;
  const pauses: number[] = [];
  const wait = async (ms: number) => {
    pauses.push(ms);
    now += ms;
  };
  return { retry: { forMs, now: () => now, wait }, pauses, elapsed: () => now - 1_000 };
}

describe('a failure that may pass', () => {
  const passing = [
    ...['40P01', '40001', '57P01', '57P02', '57P03', '25006', '53300', '08006', '08P01'],
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ].map((code): [string, Error] => [code, failure(code)]);
  passing.push(
    ['a standby', new NotPrimaryError()],
    ['a cut connection', new Error('Connection terminated unexpectedly')],
    ['a full pool', new Error('timeout exceeded when trying to connect')],
  );
  for (const [name, error] of passing) {
    test(`${name} is tried again and is the store's`, () =>
      assert.deepEqual([isTransient(error), isUnavailable(error)], [true, true]));
  }

  const lasting = { 'a statement that took too long': '57014', 'a full disk': '53100' };
  for (const [name, code] of Object.entries({ ...lasting, 'an error of its disk': '58030' })) {
    test(`${name} is the store’s, and is not tried again`, () =>
      assert.deepEqual([isTransient(failure(code)), isUnavailable(failure(code))], [false, true]));
  }

  for (const code of ['23505', '22P05', '42601', '22003', '23514']) {
    test(`${code} is what was asked for`, () =>
      assert.deepEqual([isTransient(failure(code)), isUnavailable(failure(code))], [false, false]));
  }

  test('nothing but an error is neither', () => {
    for (const thrown of [undefined, null, 'text', {}, new Error('other')]) {
      assert.deepEqual([isTransient(thrown), isUnavailable(thrown)], [false, false]);
    }
  });
});

describe('a retried attempt', () => {
  test('is repeated until it succeeds, with growing pauses of at most 200 ms', async () => {
    const { retry, pauses } = createRetry(10_000);
    let attempts = 0;
    const result = await retryTransient(async () => {
      if (++attempts < 9) throw failure('57P01');
      return 'done';
    }, retry);
    assert.equal(result, 'done');
    assert.deepEqual(pauses, [10, 20, 40, 80, 160, 200, 200, 200]);
  });

  test('gives up as 503 unavailable with Retry-After when the time is over, and not later', async () => {
    const { retry, elapsed } = createRetry(3_000);
    const cause = failure('ECONNREFUSED');
    await assert.rejects(
      retryTransient(() => Promise.reject(cause), retry),
      (error) => {
        assert.ok(error instanceof AppError);
        assert.deepEqual([error.status, error.code], [503, 'unavailable']);
        assert.match(error.headers['retry-after'] ?? '', /^[1-9]\d*$/);
        assert.equal(error.cause, cause);
        return true;
      },
    );
    assert.ok(elapsed() > 2_500 && elapsed() <= 3_000, `${elapsed()} ms`);
  });

  test('is not repeated where it would fail again', async () => {
    const { retry, pauses } = createRetry(3_000);
    const refused = failure('23505');
    await assert.rejects(
      retryTransient(() => Promise.reject(refused), retry),
      refused,
    );
    await assert.rejects(
      retryTransient(() => Promise.reject(failure('57014')), retry),
      { status: 503 },
    );
    assert.deepEqual(pauses, []);
  });
});
