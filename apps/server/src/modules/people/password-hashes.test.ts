import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AppError } from '../../platform/errors/index.ts';
import { createPasswordHashes } from './password-hashes.ts';

// The cost is stored with the hash: this one costs little.
const CHEAP = 'scrypt$1024$8$1$c2FsdA$aGFzaA';

describe('a flood of strangers who sign in', () => {
  test('is refused beyond those that may wait, before anything is done for them', async () => {
    const hashes = createPasswordHashes();
    const verify = () => hashes.verify({ hash: CHEAP, password: 'x' });
    const flood = Array.from({ length: 100 }, () =>
      verify().then(
        () => 'done',
        (error: AppError) => error.code,
      ),
    );
    assert.throws(() => hashes.assertRoom(), { status: 429, code: 'busy' });
    const ends = await Promise.all(flood);
    const done = ends.filter((end) => end === 'done').length;
    assert.ok(done >= 40 && done <= 42, String(done));
    assert.equal(ends.filter((end) => end === 'busy').length, 100 - done);
    hashes.assertRoom();
    assert.equal(await verify(), false);
  });

  test('neither keeps out nor stands before who is known', async () => {
    const hashes = createPasswordHashes();
    const order: string[] = [];
    const verify = (name: string) =>
      hashes.verify({ hash: CHEAP, password: name }).then(
        () => void order.push(name),
        () => undefined,
      );
    const flood = Array.from({ length: 100 }, () => verify('stranger'));
    await hashes.first(async () => {
      hashes.assertRoom();
      await verify('known');
    });
    assert.ok(order.indexOf('known') <= 4, order.join(' '));
    await Promise.all(flood);
    assert.ok(order.length > 40);
  });
});
