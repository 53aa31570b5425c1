import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { PRIVATE_HOSTS } from '../../support/private-hosts.ts';
import { startScene, WEBHOOKS } from './scene.ts';

const scene = await startScene({ env: { LEADWIRE_ALLOW_PRIVATE_WEBHOOKS: 'off' } });
const plain = await scene.receiver();
const tls = await scene.receiver({ tls: true });

// Here registration is passed by: what counts is the address that is dialled.
const TARGETS = [
  `http://127.0.0.1:${plain.port}/hook`,
  `http://localhost:${plain.port}/hook`,
  ...PRIVATE_HOSTS.map((host) => `https://${host}:${tls.port}/hook`),
];

after(() => scene.close());

describe('where private targets are not allowed', () => {
  it('no request goes to a loopback, private or reserved address, in whatever spelling', async () => {
    const hooks = [];
    for (const url of TARGETS) {
      const hook = await scene.webhook('https://example.com/hook');
      await scene.database.query('UPDATE webhooks SET url = $2 WHERE id = $1', [hook.uuid, url]);
      hooks.push({ ...hook, url });
    }
    await scene.lead();
    for (const hook of hooks) {
      const [attempt] = await scene.attempted(hook, 1);
      assert.deepEqual([attempt?.outcome, attempt?.error], ['failed', 'address_refused'], hook.url);
      assert.equal((await scene.waiting(hook)).length, 1, hook.url);
    }
    assert.equal(plain.load.connections + tls.load.connections, 0);
  });

  it('registration refuses them already', async () => {
    for (const url of [...TARGETS, 'http://example.com/hook']) {
      const body = { url, events: ['lead.created'] };
      const { status, json } = await scene
        .server()
        .call('POST', WEBHOOKS, { key: scene.key, body });
      assert.equal(status, 400, url);
      assert.equal(json.errors[0].path, 'url');
    }
  });
});
