import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createTestDatabase, seed, startServer } from '../../support/index.ts';

const database = await createTestDatabase();
const worker = await startServer({ database, env: { LEADWIRE_ROLE: 'worker' } });
const api = await startServer({ database, env: { LEADWIRE_ROLE: 'api' } });
const key = seed().ours.full;

describe('a role', () => {
  after(() => Promise.all([worker.stop(), api.stop()]));

  it('worker answers its probes and no request of a partner', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      assert.equal((await worker.call('GET', path)).status, 200, path);
    }
    for (const path of ['/api/v1/insertion/leads', '/api/v1/leads', '/openapi.json', '/docs']) {
      assert.equal((await worker.call('GET', path, { key })).status, 404, path);
    }
  });

  it('api answers partners', async () => {
    assert.equal((await api.call('GET', '/api/v1/insertion/leads', { key })).status, 200);
  });
});
