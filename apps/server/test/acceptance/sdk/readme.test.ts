import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from './published.ts';
import { startScene } from './scene.ts';

const scene = await startScene();
after(() => scene.close());
const readme = await readFile(`${ROOT}packages/sdk/README.md`, 'utf8');
const [first = '', handler = ''] = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
  ([, code = '']) => code,
);
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** What a program prints that reads the environment as the README's do. */
async function printed(code: string): Promise<string> {
  const { public_key, secret_key } = scene.ours.full;
  const env = {
    ...process.env,
    LEADWIRE_URL: scene.server.url,
    LEADWIRE_PUBLIC_KEY: public_key,
    LEADWIRE_SECRET_KEY: secret_key,
    LEADWIRE_WEBHOOK_SECRET: SECRET,
  };
  const args = ['--input-type=module-typescript', '-e', code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  return stdout;
}

describe("the SDK's README", () => {
  test('has a start that inserts a lead, and dedupes it when it is run again', async () => {
    assert.match(await printed(first), /^inserted [0-9a-f-]{36}\n$/);
    assert.match(await printed(first), /^deduped [0-9a-f-]{36}\n$/);
  });

  test('has a handler that takes a webhook and refuses what is none', async () => {
    const body = JSON.stringify({
      ...{ id: 'evt_1', type: 'lead.created' },
      data: { lead: { email: 'ada@example.com' } },
    });
    const timestamp = Math.floor(Date.now() / 1000);
    const key = Buffer.from(SECRET.slice(6), 'base64');
    const signature = createHmac('sha256', key)
      .update(`evt_1.${timestamp}.${body}`)
      .digest('base64');
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    };
    const call = (sent: string) =>
      `console.log((await handle(new Request('http://x', ${JSON.stringify({ method: 'POST', headers, body: sent })}))).status);`;
    const output = await printed(`${handler}\n${call(body)}\n${call(`${body} `)}`);
    assert.equal(output, 'evt_1 ada@example.com\n204\n400\n');
  });
});
