import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Redis } from 'ioredis';
import { REDIS_MISSING, startRedis, type TestRedis } from '../../../test/support/redis.ts';
import { createRateLimits, type RateLimits } from './index.ts';
import { createRecordingLog, until } from './testing.ts';

const redis = await startRedis();
const minute = (max: number) => ({ max, windowSeconds: 60 });
// A shared machine may pause this process; these tests are about counting, not about waiting.
const patient = { redisWaitMs: 5000 };

describe('buckets shared through Redis', { skip: redis === null && REDIS_MISSING }, () => {
  const { url } = redis as TestRedis;
  const log = createRecordingLog();
  let one: RateLimits;
  let two: RateLimits;

  before(() => {
    one = createRateLimits({ redisUrl: url, log, ...patient });
    two = createRateLimits({ redisUrl: url, log, ...patient });
  });

  after(async () => {
    await one.close();
    await two.close();
    await redis?.stop();
    assert.deepEqual(log.lines, [], 'Redis was there all the time');
  });

  test('two nodes share a bucket from the first request on', async () => {
    assert.equal((await one.consume('first', minute(3), 1)).left, 2);
    assert.equal((await two.consume('first', minute(3), 1)).left, 1);
    assert.equal((await one.consume('first', minute(3), 1)).left, 0);
    const breach = await two.consume('first', minute(3), 1);
    assert.deepEqual([breach.allowed, breach.left], [false, 0]);
    assert.ok(breach.resetSeconds >= 1 && breach.resetSeconds <= 60);
  });

  test('a cost that does not fit takes nothing, and the rest stays usable', async () => {
    await one.consume('batch', minute(10), 4);
    const refused = await two.consume('batch', minute(10), 7);
    assert.deepEqual([refused.allowed, refused.left], [false, 6]);
    const whole = await one.consume('batch', minute(10), 11);
    assert.deepEqual([whole.allowed, whole.left], [false, 6]);
    assert.equal((await one.consume('batch', minute(10), 6)).allowed, true);
  });

  test('a cost above the whole limit is refused and begins no window', async () => {
    const refused = await one.consume('whole', minute(10), 11);
    assert.deepEqual([refused.allowed, refused.left, refused.resetSeconds], [false, 10, 60]);
    const client = new Redis(url);
    const keys = await client.keys('*whole*');
    client.disconnect();
    assert.deepEqual(keys, []);
  });

  test('requests of two nodes at the same moment get exactly max units between them', async () => {
    const costs = Array.from({ length: 300 }, (_, index) => 1 + (index % 7));
    const answers = await Promise.all(
      costs.map((cost, index) => (index % 2 ? one : two).consume('crowd', minute(200), cost)),
    );
    const given = costs.filter((_, index) => answers[index]?.allowed);
    const sum = given.reduce((total, cost) => total + cost, 0);
    assert.equal(sum, 200);
    assert.ok(answers.every((answer) => answer.left >= 0));
  });

  test('the window is fixed and rolls over', async () => {
    const second = { max: 2, windowSeconds: 1 };
    await one.consume('short', second, 2);
    let refusals = 0;
    await until('the window of one second rolls over', async () => {
      const next = await two.consume('short', second, 1);
      if (!next.allowed) refusals += 1;
      return next.allowed;
    });
    assert.ok(refusals > 0);
  });

  test('every bucket in Redis expires by itself', async () => {
    await one.consume('mortal', minute(5), 1);
    await one.consume('mortal', minute(5), 1);
    const client = new Redis(url);
    const [key = ''] = await client.keys('*mortal*');
    const leftMs = await client.pttl(key);
    await client.persist(key);
    await one.consume('mortal', minute(5), 1);
    const mendedMs = await client.pttl(key);
    client.disconnect();
    assert.ok(leftMs > 0 && leftMs <= 60_000);
    assert.ok(mendedMs > 0 && mendedMs <= 60_000, 'a bucket without an end is given one');
  });

  test('a cost of 0 looks and takes nothing', async () => {
    await one.consume('look', minute(1), 0);
    assert.equal((await one.consume('look', minute(1), 0)).allowed, true);
    await two.consume('look', minute(1), 1);
    assert.equal((await one.consume('look', minute(1), 0)).allowed, false);
  });

  test('an edited limit holds at once, for what the bucket has already given', async () => {
    await one.consume('edited', minute(5), 5);
    for (let refused = 0; refused < 20; refused++) await two.consume('edited', minute(5), 1);
    const raised = await two.consume('edited', minute(8), 1);
    assert.deepEqual([raised.allowed, raised.left], [true, 2]);
    const lowered = await one.consume('edited', minute(2), 1);
    assert.deepEqual([lowered.allowed, lowered.left], [false, 0]);
  });

  test('more distinct limits than are remembered still share their buckets', async () => {
    for (let max = 2000; max < 3100; max++) await one.consume('many', minute(max), 1);
    assert.equal((await two.consume('many', minute(4000), 1)).left, 4000 - 1101);
  });

  test('a script that Redis has forgotten is sent again', async () => {
    await one.consume('forgotten', minute(5), 1);
    const client = new Redis(url);
    await client.script('FLUSH');
    client.disconnect();
    assert.equal((await one.consume('forgotten', minute(5), 1)).left, 3);
  });
});
