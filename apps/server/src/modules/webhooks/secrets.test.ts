import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { createSecretBox } from '../../platform/crypto/index.ts';
import { makeSecret, openSecrets } from './secrets.ts';

const ID = '019bc1b0-7d2e-7f45-a1c8-e9b6d5041f3a';
const OTHER_ID = '019bc1b0-7d2e-7f45-a1c8-e9b6d5041f3b';
const UNTIL = '2026-01-21 09:00:00.25+00';
const UNTIL_MS = Date.parse('2026-01-21T09:00:00.250Z');

const box = createSecretBox([randomBytes(32)]);
const make = () => makeSecret({ secrets: box, randomBytes }, ID);

describe('a signing secret', () => {
  test('is whsec_ and base64 of 32 random bytes, another each time', () => {
    const made = Array.from({ length: 20 }, () => make().secret);
    assert.equal(new Set(made).size, made.length);
    for (const secret of made) {
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32);
    }
  });

  test('is stored encrypted, and opens for its own webhook alone', () => {
    const { secret, sealed } = make();
    assert.ok(!sealed.includes(secret.slice(6, 40)));
    const row = {
      secret_encrypted: sealed,
      previous_secret_encrypted: null,
      previous_secret_until: null,
    };
    assert.deepEqual(openSecrets(box, { webhookId: ID, ...row }, 0), [secret]);
    assert.throws(() => openSecrets(box, { webhookId: OTHER_ID, ...row }, 0));
  });

  test('that was rotated out is second until its time is over', () => {
    const [old, current] = [make(), make()];
    const row = {
      webhookId: ID,
      secret_encrypted: current.sealed,
      previous_secret_encrypted: old.sealed,
      previous_secret_until: UNTIL,
    };
    const both = [current.secret, old.secret];
    assert.deepEqual(openSecrets(box, row, UNTIL_MS - 86_400_000), both);
    assert.deepEqual(openSecrets(box, row, UNTIL_MS - 1), both);
    assert.deepEqual(openSecrets(box, row, UNTIL_MS), [current.secret]);
  });

  test('of a deleted webhook is gone', () => {
    const row = {
      webhookId: ID,
      secret_encrypted: null,
      previous_secret_encrypted: null,
      previous_secret_until: null,
    };
    assert.deepEqual(openSecrets(box, row, 0), []);
  });
});
