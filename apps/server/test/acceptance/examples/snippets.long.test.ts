import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createTestDatabase, seed, startServer, type TestServer } from '../../support/index.ts';
import { languages } from './languages.ts';
import { isInstalled } from './processes.ts';
import { receiverTests } from './receiver-tests.ts';
import { senderTests } from './sender-tests.ts';
import { signingVectors } from './vectors.ts';

let server: TestServer;
const service = () => ({ server, key: seed().ours.full });

before(async () => {
  server = await startServer({ database: await createTestDatabase() });
});
after(() => server?.stop());

test('the request of each vector, signed by a key that it knows, is no 401 to the service', async () => {
  for (const { name, method, target, body } of signingVectors) {
    const sent = { hmac: seed().ours.full, ...(body && { body }) };
    const { status, text } = await server.call(method, target, sent);
    assert.ok(status < 500 && status !== 401, `${name}: ${status} ${text}`);
  }
});

for (const language of languages) {
  const missing = language.needs.filter((program) => !isInstalled(program));
  const skip = missing.length > 0 && `not installed: ${missing.join(', ')}`;
  // CI installs them all: what it skips it would not notice.
  if (process.env.CI) test(`${language.name} is run`, () => assert.deepEqual(missing, []));
  describe(`the example in ${language.name}`, { skip }, () => {
    before(() => language.prepare?.(), { timeout: 300_000 });
    senderTests(language, service);
    receiverTests({ receive: language.receive, service });
  });
}
