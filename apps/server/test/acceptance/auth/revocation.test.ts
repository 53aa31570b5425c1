import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import {
  type CallOptions,
  cliJson,
  createKey,
  createTestDatabase,
  eventually,
  seed,
  startServer,
  type TestServer,
} from '../../support/index.ts';

const LEADS = '/api/v1/insertion/leads?limit=1';

const database = await createTestDatabase();
const nodes = await Promise.all([startServer({ database }), startServer({ database })]);
const account = seed().ours.id;
const used = await createKey(database.env, account);

/** Sends one request after the other, and notes when each was sent and what it was answered. */
function watch(node: TestServer, credentials: CallOptions) {
  const seen: { sentAt: number; status: number; error: string | undefined }[] = [];
  let isOver = false;
  const traffic = (async () => {
    while (!isOver) {
      const sentAt = performance.now();
      const { status, json } = await node.call('GET', LEADS, credentials);
      seen.push({ sentAt, status, error: json.error });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    seen,
    async end() {
      isOver = true;
      await traffic;
    },
  };
}

describe('revoking a key', () => {
  after(() => Promise.all(nodes.map((node) => node.stop())));

  it('works within a second on two nodes under constant traffic, by Bearer and by HMAC', async () => {
    const watched = nodes.flatMap((node) => [
      { code: 'invalid_bearer', ...watch(node, { key: used }) },
      { code: 'invalid_public_key', ...watch(node, { hmac: used }) },
    ]);
    await eventually(() => {
      for (const { seen } of watched) assert.ok(seen.some(({ status }) => status === 200));
    });
    await cliJson(['keys', 'revoke', used.public_key], database.env);
    const revokedAt = performance.now();
    await eventually(() => assert.ok(performance.now() > revokedAt + 1500));
    for (const { end } of watched) await end();
    for (const { seen, code } of watched) {
      const late = seen.filter(({ sentAt }) => sentAt > revokedAt + 1000);
      assert.ok(late.length > 5, 'there was traffic after the second');
      for (const { status, error } of late) {
        assert.deepEqual({ status, error }, { status: 401, error: code });
      }
    }
  });

  it('leaves the other keys of the account alone', async () => {
    for (const node of nodes) {
      const answer = await node.call('GET', LEADS, { key: seed().ours.full });
      assert.equal(answer.status, 200);
    }
  });

  it('holds at once for a key that no node has seen', async () => {
    const unseen = await createKey(database.env, account);
    await cliJson(['keys', 'revoke', unseen.public_key], database.env);
    for (const node of nodes) {
      assertFailure(await node.call('GET', LEADS, { key: unseen }), 401, 'invalid_bearer');
    }
  });
});
