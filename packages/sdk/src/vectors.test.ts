import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { contentHash } from './index.ts';
import { createSigner, stringToSign } from './signing.ts';
import { verifyWebhook } from './verify-webhook.ts';

/** The vectors that server, SDK and snippets share. */
const vectorsOf = async (name: string) => {
  const file = new URL(`../../contract/vectors/${name}.json`, import.meta.url);
  const { vectors } = JSON.parse(await readFile(file, 'utf8'));
  assert.ok(vectors.length > 5);
  return vectors;
};

describe('a request is signed as the vectors say', async () => {
  for (const vector of await vectorsOf('signing')) {
    test(vector.name, async () => {
      const mark = `${vector.target}?`.indexOf('?');
      const request = {
        method: vector.method,
        path: vector.target.slice(0, mark),
        query: vector.target.slice(mark + 1),
        body: vector.body,
        timestamp: vector.timestamp,
      };
      assert.equal(await stringToSign(request), vector.string_to_sign);
      const sign = createSigner({ publicKey: 'lwpk_1', secretKey: vector.secret_key });
      assert.deepEqual(await sign(request), {
        'x-leadwire-public-key': 'lwpk_1',
        'x-leadwire-timestamp': String(vector.timestamp),
        'x-leadwire-signature': vector.signature,
      });
    });
  }
});

describe('a webhook is verified as the vectors say', async () => {
  for (const vector of await vectorsOf('webhooks')) {
    test(vector.name, async () => {
      const options = { nowMs: vector.now * 1000 };
      const bytes = new TextEncoder().encode(vector.payload);
      for (const payload of [vector.payload, bytes, bytes.buffer]) {
        const verified = verifyWebhook(payload, vector.headers, vector.secret, options);
        if (vector.valid) assert.deepEqual(await verified, JSON.parse(vector.payload));
        else await assert.rejects(verified, { code: vector.error });
      }
    });
  }
});

describe('the content of a lead is hashed as the vectors say', async () => {
  for (const { name, lead, fields, sha256 } of await vectorsOf('content-hash')) {
    test(name, async () => assert.equal(await contentHash(lead, fields ?? undefined), sha256));
  }
});
