import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createSecretBox } from './index.ts';

const [keyA, keyB] = [randomBytes(32), randomBytes(32)];
const wellFormed = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed());

describe('a secret box', () => {
  test('gives back what was sealed, under the same context', () => {
    const box = createSecretBox([keyA]);
    fc.assert(
      fc.property(wellFormed, wellFormed, (plaintext, context) => {
        assert.equal(box.open(box.seal(plaintext, context), context), plaintext);
      }),
    );
  });

  test('opens under no other context: a box cannot be moved to another row', () => {
    const box = createSecretBox([keyA]);
    fc.assert(
      fc.property(wellFormed, wellFormed, (context, other) => {
        fc.pre(context !== other);
        assert.throws(() => box.open(box.seal('secret', context), other));
      }),
    );
  });

  test('never seals the same text to the same box', () => {
    const box = createSecretBox([keyA]);
    const boxes = Array.from({ length: 1000 }, () => box.seal('secret', 'row'));
    assert.equal(new Set(boxes).size, 1000);
    assert.equal(new Set(boxes.map((one) => one.split('.')[2])).size, 1000);
  });

  test('does not show the text or the key', () => {
    const sealed = createSecretBox([keyA]).seal('lwsk_secret', 'row');
    const bytes = sealed
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    assert.ok(![sealed, ...bytes].some((text) => text.includes('secret')));
    assert.ok(
      !sealed.includes(keyA.toString('base64url')) && !sealed.includes(keyA.toString('hex')),
    );
  });
});

describe('a box that was tampered with', () => {
  const box = createSecretBox([keyA]);
  const sealed = box.seal('lwsk_secret', 'row');
  const parts = sealed.split('.');

  test('opens with no single bit of nonce, tag or ciphertext changed', () => {
    for (const part of [2, 3, 4]) {
      const bytes = Buffer.from(parts[part] as string, 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        const tampered = parts.with(part, changed.toString('base64url')).join('.');
        assert.throws(() => box.open(tampered, 'row'));
      }
    }
  });

  test('opens with no shortened tag, which would be easier to forge', () => {
    const tag = Buffer.from(parts[3] as string, 'base64url');
    for (let length = 0; length < 16; length++) {
      const short = tag.subarray(0, length).toString('base64url');
      assert.throws(() => box.open(parts.with(3, short).join('.'), 'row'), `${length} bytes`);
    }
  });

  test('opens in no other form: version, parts missing, parts added', () => {
    for (const text of [
      '',
      'v1',
      parts.with(0, 'v2').join('.'),
      parts.slice(0, 4).join('.'),
      `${sealed}.AAAA`,
      sealed.replaceAll('.', ':'),
    ]) {
      assert.throws(() => box.open(text, 'row'), text);
    }
  });
});

describe('rotation of the encryption key', () => {
  test('seals with the first key and opens with all of them', () => {
    const old = createSecretBox([keyA]).seal('secret', 'row');
    const rotated = createSecretBox([keyB, keyA]);
    assert.equal(rotated.open(old, 'row'), 'secret');
    const sealed = rotated.seal('secret', 'row');
    assert.equal(createSecretBox([keyB]).open(sealed, 'row'), 'secret');
    assert.throws(() => createSecretBox([keyA]).open(sealed, 'row'));
  });

  test('names the missing key where a box was sealed with one that is gone', () => {
    const old = createSecretBox([keyA]).seal('secret', 'row');
    const [, id] = old.split('.');
    assert.throws(() => createSecretBox([keyB]).open(old, 'row'), new RegExp(`"${id}"`));
  });

  test('needs at least one key of 32 bytes', () => {
    assert.throws(() => createSecretBox([]), /encryption key is needed/);
    assert.throws(() => createSecretBox([randomBytes(16)]).seal('secret', 'row'));
  });
});
