import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../../support/index.ts';
import { openScene, webhookBody } from './scene.ts';

const { database, server, create, get, list, patch, post, remove, rotate, call, ours } =
  await openScene({ env: { LEADWIRE_LOG_LEVEL: 'trace' } });

/** Forms in which a secret might have slipped out. */
const formsOf = (secret: string): string[] => {
  const bare = secret.slice('whsec_'.length);
  const bytes = Buffer.from(bare, 'base64');
  return [
    ...[bare.slice(0, 30), bytes.toString('hex').slice(0, 40)],
    ...[bytes.toString('base64url').slice(0, 30), encodeURIComponent(bare).slice(0, 30)],
  ];
};

const assertHidden = (text: string, secrets: string[], where: string) => {
  for (const form of secrets.flatMap(formsOf)) assert.ok(!text.includes(form), where);
};

describe('a signing secret', () => {
  test('is shown by create and by rotate alone', async () => {
    const { id, secret } = await create();
    const rotated = (await rotate(id)).json.secret;
    const answers = [
      await get(id),
      await list('?limit=100'),
      await patch(id, { description: 'x' }),
      await patch(id, { description: 'x' }),
      await patch(id, { active: false, url: 'https://other.example.com/' }),
      await call('HEAD', `/api/v1/webhooks/${id}`, { key: ours.full }),
      await remove(id),
    ];
    for (const { status, text, headers } of answers) {
      assert.equal(status, 200);
      assert.doesNotMatch(text, /secret|whsec/);
      assertHidden(text + JSON.stringify(headers), [secret, rotated], text);
    }
  });

  test('and the address of an endpoint stand nowhere in the log, whatever goes wrong, at the level trace', async () => {
    const token = 'Frobnitz0815';
    const url = `https://crm.example.com/${token}?key=${token}`;
    const { id, secret } = await create({ url, description: token });
    const rotated = (await rotate(id)).json.secret;
    await patch(id, { url: `${url}2`, description: `${token}3` });
    await post(webhookBody({ url: `ftp://${token}`, secret, [token]: 1 }));
    await post(JSON.stringify(webhookBody({ url, description: secret })).slice(0, -1));
    await patch(id, { events: [secret], url: 5, description: `${token}\u0000` });
    await call('GET', `/api/v1/webhooks/${secret}`, { key: ours.full });
    await list(`?cursor=${encodeURIComponent(rotated)}`);
    await remove(id);
    await call('GET', '/healthz', { headers: { 'x-request-id': 'the-last-one' } });
    await eventually(() => assert.match(server.logs(), /the-last-one/));
    const logs = server.logs();
    assert.match(logs, /"route":"\/api\/v1\/webhooks"/);
    assertHidden(logs, [secret, rotated], 'in the log');
    assert.ok(!logs.includes('whsec_'));
    assert.ok(!logs.includes(token));
  });

  test('is encrypted in the store, and under every change of it', async () => {
    const { id, secret } = await create();
    const rotated = (await rotate(id)).json.secret;
    const rows = await database.query('SELECT webhooks::text AS text FROM webhooks');
    const text = rows.map((row) => row.text).join('\n');
    assert.ok(text.includes('v1.'));
    assertHidden(text, [secret, rotated], 'in the store');
    assert.ok(!text.includes('whsec_'));
  });
});
