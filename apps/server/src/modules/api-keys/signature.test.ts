import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { describe, test } from 'node:test';
import { signingVectors } from '../../../test/acceptance/examples/vectors.ts';
import { isSignatureOf, stringToSign } from './signature.ts';

describe('the signing vectors that are given to partners', () => {
  for (const vector of signingVectors) {
    const { timestamp, method, target, signature } = vector;
    const secret = createSecretKey(Buffer.from(vector.secret_key));

    test(`${vector.name}: the string to sign and the signature are ours`, () => {
      const body = vector.body === '' ? undefined : Buffer.from(vector.body);
      const text = stringToSign({ timestamp, method, target, body });
      assert.equal(text, vector.string_to_sign);
      assert.ok(isSignatureOf(text, secret, signature));
    });
  }

  test('no signature stands for another request, another key or another way of writing it', () => {
    const [first, second] = signingVectors;
    assert.ok(first && second);
    const secret = createSecretKey(Buffer.from(first.secret_key));
    const { string_to_sign: text, signature } = first;
    assert.ok(!isSignatureOf(text, secret, second.signature));
    assert.ok(!isSignatureOf(second.string_to_sign, secret, signature));
    assert.ok(!isSignatureOf(text, createSecretKey(Buffer.from('another')), signature));
    for (const other of ['', signature.toUpperCase(), signature.slice(2), `${signature}00`]) {
      assert.ok(!isSignatureOf(text, secret, other), other);
    }
  });
});
