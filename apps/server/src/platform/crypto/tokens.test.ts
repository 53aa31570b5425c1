import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { createToken, isWellFormedToken } from './index.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const decode62 = (text: string) => [...text].reduce((n, c) => n * 62 + ALPHABET.indexOf(c), 0);
const secret = () => createToken('lwsk', 43, randomBytes);

describe('a token', () => {
  test('has its prefix, its length, and the CRC-32 of what is before in six digits of base62', () => {
    for (let i = 0; i < 200; i++) {
      const token = createToken('lwpk', 22, randomBytes);
      assert.match(token, /^lwpk_[0-9A-Za-z]{28}$/);
      assert.equal(decode62(token.slice(-6)), crc32(token.slice(0, -6)));
    }
  });

  test('is well-formed for its own prefix alone', () => {
    const token = secret();
    assert.ok(isWellFormedToken(token, 'lwsk'));
    for (const prefix of ['lwpk', 'lws', 'lwsk_', '', 'LWSK']) {
      assert.ok(!isWellFormedToken(token, prefix), prefix);
    }
  });

  test('with any one character changed is no token', () => {
    const token = secret();
    for (let i = 0; i < token.length; i++) {
      for (const c of `${ALPHABET}_- \n=`) {
        if (c === token[i]) continue;
        const changed = token.slice(0, i) + c + token.slice(i + 1);
        assert.ok(!isWellFormedToken(changed, 'lwsk'), changed);
      }
    }
  });

  test('with two neighbours swapped, a piece cut off, or something added is no token', () => {
    fc.assert(
      fc.property(fc.nat(46), fc.string({ minLength: 1 }), (at, added) => {
        const token = secret();
        const swapped =
          token.slice(0, at) + token.charAt(at + 1) + token.charAt(at) + token.slice(at + 2);
        if (swapped !== token) assert.ok(!isWellFormedToken(swapped, 'lwsk'));
        assert.ok(!isWellFormedToken(token.slice(0, at), 'lwsk'));
        assert.ok(!isWellFormedToken(token + added, 'lwsk'));
        assert.ok(!isWellFormedToken(added + token, 'lwsk'));
      }),
    );
  });

  test('is never taken for one when it is arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        assert.ok(!isWellFormedToken(text, 'lwsk'));
        assert.ok(!isWellFormedToken(`lwsk_${text}`, 'lwsk'));
      }),
    );
  });

  test('of no random part is no token', () => {
    const empty = createToken('lwsk', 0, randomBytes);
    assert.equal(empty.length, 'lwsk_'.length + 6);
    assert.ok(!isWellFormedToken(empty, 'lwsk'));
  });
});

describe('the random part of a token', () => {
  test('uses no byte that would favour some letters, and asks for more bytes instead', () => {
    // Every byte once and in order: only the first 248 may count, each letter of them four times.
    let asked = 0;
    const everyByte = (size: number) =>
      Buffer.from(Array.from({ length: size }, () => asked++ % 256));
    const token = createToken('t', 248, everyByte);
    const counts = new Map<string, number>();
    for (const c of token.slice(2, -6)) counts.set(c, (counts.get(c) ?? 0) + 1);
    assert.deepEqual([...counts.values()], Array(62).fill(4));
    const skipped = createToken('t', 10, (size) => Buffer.alloc(size, asked++ % 2 ? 7 : 255));
    assert.equal(skipped.slice(2, -6), '7'.repeat(10));
  });

  test('is spread evenly over the letters', () => {
    const text = createToken('t', 62_000, randomBytes).slice(2, -6);
    const counts = [...ALPHABET].map((c) => text.split(c).length - 1);
    const chiSquare = counts.reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
    // 61 degrees of freedom: beyond 160 by chance once in more than 10^10 runs.
    assert.ok(chiSquare < 160, `chi-square ${chiSquare}`);
  });

  test('never comes twice', () => {
    assert.equal(new Set(Array.from({ length: 10_000 }, secret)).size, 10_000);
  });
});
