import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  createKey,
  createTestDatabase,
  eventually,
  type SeededKey,
  seed,
  startServer,
} from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { limitOf } from '../../support/rate-limit.ts';
import { REDIS_MISSING, startRedis } from '../../support/redis.ts';

const LEADS = '/api/v1/insertion/leads';

const redis = await startRedis();
const skip = redis === null ? REDIS_MISSING : false;
const database = await createTestDatabase();
const env = { REDIS_URL: redis?.url };
const [keys, nodes] = await Promise.all([
  Promise.all([1, 2, 3].map(() => createKey(database.env, seed().ours.id, { rateLimit: '8/60' }))),
  Promise.all([1, 2].map(() => startServer({ database, env }))),
]);
const keyAt = (index: number) => keys[index] as SeededKey;

/** Posts to each node in turn. */
async function postInTurn(key: SeededKey, count: number) {
  const answers = [];
  for (let i = 0; i < count; i++) {
    const node = nodes[i % nodes.length];
    assert.ok(node);
    answers.push(await node.call('POST', LEADS, { key, body: newLead() }));
  }
  return answers;
}

const warnings = (node: { logLines(): { level: string; msg: string }[] }) =>
  node.logLines().filter(({ level, msg }) => level === 'warn' && /redis/i.test(msg));

describe('the rate limit of several nodes', { skip }, () => {
  after(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await redis?.stop();
  });

  it('is one bucket through Redis, whichever node is asked', async () => {
    const answers = await postInTurn(keyAt(0), 10);
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [201, 201, 201, 201, 201, 201, 201, 201, 429, 429],
    );
    const left = answers.map((answer) => limitOf(answer).left);
    assert.deepEqual(left, [7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
  });

  it('lets exactly its number through when all come at once on both nodes', async () => {
    const posts = Array.from({ length: 24 }, (_, i) =>
      nodes[i % 2]?.call('POST', LEADS, { key: keyAt(1), body: newLead() }),
    );
    const statuses = (await Promise.all(posts)).map((answer) => answer?.status);
    assert.equal(statuses.filter((status) => status === 201).length, 8);
    assert.equal(statuses.filter((status) => status === 429).length, 16);
  });

  it('turns no lead away because Redis is gone, says so in the log, and limits in process', async () => {
    await redis?.stop();
    for (const answer of await postInTurn(keyAt(2), 8)) assert.equal(answer.status, 201);
    const unlimited = await postInTurn(seed().ours.full, 4);
    for (const answer of unlimited) assert.equal(answer.status, 201);
    for (const node of nodes) await eventually(() => assert.equal(warnings(node).length, 1));
    const more = await postInTurn(keyAt(2), 12);
    const accepted = more.filter((answer) => answer.status === 201).length;
    assert.equal(accepted, 8, 'each node counts to the limit by itself');
    for (const node of nodes) {
      assert.equal((await node.call('GET', '/readyz')).status, 200);
      assert.equal(warnings(node).length, 1, 'one warning, not one a request');
    }
  });

  it('is shared again when Redis is back', async () => {
    const back = await startRedis({ port: redis?.port ?? 0 });
    try {
      for (const node of nodes) {
        await eventually(() => assert.match(node.logs(), /Redis is back/));
      }
      const answers = await postInTurn(keyAt(0), 9);
      const accepted = answers.filter((answer) => answer.status === 201);
      assert.equal(accepted.length, 8);
    } finally {
      await back?.stop();
    }
  });
});

describe('a node that starts while Redis is away', { skip }, () => {
  it('starts, takes leads and warns', async () => {
    const node = await startServer({ database, env: { REDIS_URL: 'redis://127.0.0.1:1' } });
    try {
      const { full: key } = seed().ours;
      const answer = await node.call('POST', LEADS, { key, body: newLead() });
      assert.equal(answer.status, 201);
      const limited = await node.call('POST', LEADS, { key: keyAt(1), body: newLead() });
      assert.equal(limited.status, 201);
      await eventually(() => assert.equal(warnings(node).length, 1));
    } finally {
      await node.stop();
    }
  });
});
