import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import { startServer } from '../../support/index.ts';
import { PRIVATE_HOSTS } from '../../support/private-hosts.ts';
import { openScene, WEBHOOKS, webhookBody } from './scene.ts';

// Listens on loopback alone: a developer's machine.
const { database, create, patch, post, ours } = await openScene();
const strict = await startServer({ database, env: { LEADWIRE_ALLOW_PRIVATE_WEBHOOKS: 'off' } });
after(() => strict.stop());

const key = ours.full;
const postStrictly = (url: string) =>
  strict.call('POST', WEBHOOKS, { key, body: webhookBody({ url }) });

describe('where private targets are not allowed', () => {
  for (const host of PRIVATE_HOSTS) {
    test(`a webhook to ${host} is refused`, async () => {
      const error = 'url must not point to a private or reserved address';
      const { errors } = assertFailure(await postStrictly(`https://${host}/hook`), 400, error);
      assert.equal(errors[0].path, 'url');
    });
  }

  test('so is one by plain http, and a PATCH to any of these', async () => {
    assertFailure(await postStrictly('http://crm.example.com/'), 400, 'url must be an https URL');
    const { id } = await create();
    for (const url of ['http://crm.example.com/', 'https://10.0.0.1/', 'https://localhost/']) {
      const answer = await strict.call('PATCH', `${WEBHOOKS}/${id}`, { key, body: { url } });
      assertFailure(answer, 400, /^url must/);
    }
  });

  test('a public https address is taken, and one that was saved before may be changed otherwise', async () => {
    for (const url of ['https://crm.example.com/', 'https://1.1.1.1/', 'https://[2606:4700::1]/']) {
      assert.equal((await postStrictly(url)).status, 201, url);
    }
    const { id } = await create({ url: 'http://127.0.0.1:9/' });
    const body = { description: 'x' };
    assert.equal((await strict.call('PATCH', `${WEBHOOKS}/${id}`, { key, body })).status, 200);
  });
});

describe('where the service listens on loopback alone', () => {
  test('private targets and plain http are taken', async () => {
    for (const host of ['localhost:3000', '127.0.0.1:9', '[::1]:9', '10.0.0.1', 'intranet']) {
      const { id } = await create({ url: `http://${host}/hook` });
      assert.equal((await patch(id, { url: `https://${host}/` })).status, 200);
    }
    assertFailure(await post(webhookBody({ url: 'ftp://localhost/' })), 400, /^url must be/);
  });
});
