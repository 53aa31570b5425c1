import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startScene, WEBHOOKS } from './scene.ts';

const scene = await startScene({ env: { LEADWIRE_ALLOW_PRIVATE_WEBHOOKS: 'off' } });
const plain = await scene.receiver();
const tls = await scene.receiver({ tls: true });

// Here registration is passed by: what counts is the address that is dialled.
const TARGETS = [
  `http://127.0.0.1:${plain.port}/hook`,
  `http://localhost:${plain.port}/hook`,
  ...[
    '127.0.0.1',
    'localhost',
    'localhost.',
    '127.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '0.0.0.0',
    '0',
    '127.0.0.53',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[fe80::1]',
    '[fd00::1]',
    '[ff02::1]',
  ].map((host) => `https://${host}:${tls.port}/hook`),
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
