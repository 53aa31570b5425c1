import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { signInNode } from './sign-in-node.ts';
import { signingVectors } from './vectors.ts';

// The service's own signatures stand beside its signature.ts, the SDK's in packages/sdk, the other languages' in
// snippets.long.test.ts.
describe('the signing vectors', () => {
  test('are many, each of something else', () => {
    assert.ok(signingVectors.length > 30, `${signingVectors.length}`);
    for (const member of ['name', 'string_to_sign', 'signature'] as const) {
      assert.equal(
        new Set(signingVectors.map((v) => v[member])).size,
        signingVectors.length,
        member,
      );
    }
  });

  test('are signed so by the example for Node', async () => {
    const signatures = await signInNode(signingVectors);
    const expected = signingVectors.map(({ signature }) => signature);
    assert.deepEqual(signatures, expected);
  });
});
