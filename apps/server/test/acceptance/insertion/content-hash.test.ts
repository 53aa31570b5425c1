import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Json } from '../../support/index.ts';
import { openScene, RECONCILE } from './scene.ts';

const path = new URL('../../../../../packages/contract/vectors/content-hash.json', import.meta.url);
const text = readFileSync(path, 'utf8');
const vectors: Json[] = JSON.parse(text).vectors;

/** Of no lead. */
const OTHER = '0'.repeat(64);

const { post, call, ours } = await openScene();

const reconcile = async ({ lead, fields }: Json, content_hash: string) => {
  const { campaign_id, external_lead_id } = lead;
  const leads = [{ campaign_id, external_lead_id, content_hash }];
  const body = fields ? { leads, fields } : { leads };
  return (await call('POST', RECONCILE, { key: ours.full, body })).json.results[0].result;
};

describe('content hashes', () => {
  test('of the vectors are those of the leads that the service stores', async () => {
    assert.ok(vectors.length >= 12);
    for (const vector of vectors) {
      const posted = await post(vector.body ?? vector.lead);
      assert.equal(posted.status, 201, `${vector.name}: ${posted.text}`);
      assert.equal(await reconcile(vector, vector.sha256), 'agrees', vector.name);
      assert.equal(await reconcile(vector, OTHER), 'differs', vector.name);
    }
  });

  const script = fileURLToPath(new URL('content_hash.py', import.meta.url));
  const python = spawnSync('python3', [script], { input: text, encoding: 'utf8' });
  const skip = python.error ? 'there is no python3 on this machine' : false;
  test('of the vectors are those of an implementation in another language', { skip }, () => {
    assert.equal(python.status, 0, python.stderr);
    const wanted = vectors.map(({ canonical, sha256 }) => ({ canonical, sha256 }));
    assert.deepEqual(JSON.parse(python.stdout), wanted);
  });
});
