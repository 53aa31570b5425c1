import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, mock, test } from 'node:test';
import { Redis } from 'ioredis';
import { REDIS_MISSING, startRedis, type TestRedis } from '../../../test/support/redis.ts';
import { createRateLimits, type RateLimits, type RateLimitsDeps } from './index.ts';
import { parseRedisUrl } from './redis-url.ts';
import { createRecordingLog, startSilentServer, until } from './testing.ts';

const installed = await startRedis();
await installed?.stop();
const needsRedis = { skip: installed === null && REDIS_MISSING };
const limit = { max: 1000, windowSeconds: 600 };
const NEVER_MS = 3_600_000;
// Where Redis fails at once, so that a pause of this process is not taken for a silent Redis.
const patient = { redisWaitMs: 5000 };

const ended: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

function start(deps: Partial<RateLimitsDeps>) {
  const log = createRecordingLog();
  const fallbacks: boolean[] = [];
  const onFallback = (away: boolean) => void fallbacks.push(away);
  const limits = createRateLimits({ log, onFallback, redisRetryMs: 50, ...deps });
  ended.push(() => limits.close());
  const levels = () => log.lines.map((line) => line.level);
  return { limits, log, fallbacks, levels };
}

async function redisServer(options: Parameters<typeof startRedis>[0] = {}): Promise<TestRedis> {
  const redis = (await startRedis(options)) as TestRedis;
  ended.push(() => redis.stop());
  return redis;
}

const take = (limits: RateLimits, bucket = 'key') => limits.consume(bucket, limit, 1);

describe('Redis is away', () => {
  test('at the start: limits hold in this process, with one warning', needsRedis, async () => {
    const { port, stop } = await redisServer();
    await stop();
    const { limits, levels, fallbacks } = start({
      redisUrl: `redis://127.0.0.1:${port}`,
      ...patient,
    });
    const small = { max: 20, windowSeconds: 600 };
    for (let n = 0; n < 20; n++) {
      assert.equal((await limits.consume('key', small, 1)).allowed, true);
    }
    assert.equal((await limits.consume('key', small, 1)).allowed, false);
    assert.deepEqual([levels(), fallbacks], [['warn'], [true]]);

    await redisServer({ port });
    await until('Redis is used', () => levels().includes('info'));
    assert.equal((await take(limits, 'fresh')).left, 999);
    assert.deepEqual(
      [levels(), fallbacks],
      [
        ['warn', 'info'],
        [true, false],
      ],
    );
  });

  test(
    'going away under load refuses nobody, warns once, and is used again',
    needsRedis,
    async () => {
      const redis = await redisServer();
      const { limits, levels } = start({ redisUrl: redis.url });
      assert.equal((await take(limits)).left, 999);
      const crowd = Array.from({ length: 100 }, () => take(limits));
      await redis.stop();
      for (let n = 0; n < 100; n++) crowd.push(take(limits));
      const answers = await Promise.all(crowd);
      assert.ok(answers.every((answer) => answer.allowed));
      await until('the loss is seen', async () => (await take(limits)) && levels().length > 0);
      assert.deepEqual(levels(), ['warn']);

      const back = await redisServer({ port: redis.port });
      await until('Redis is used', () => levels().includes('info'));
      const other = start({ redisUrl: back.url, ...patient });
      const left = (await take(limits)).left;
      assert.equal((await take(other.limits)).left, left - 1, 'shared again');
      assert.deepEqual(levels(), ['warn', 'info']);
    },
  );

  test('hanging and waking: falls back, and counts in Redis again', needsRedis, async () => {
    const redis = await redisServer();
    const { limits, levels } = start({ redisUrl: redis.url, redisWaitMs: 1000 });
    await take(limits);
    redis.pause();
    const answers = await Promise.all(Array.from({ length: 100 }, () => take(limits)));
    assert.ok(answers.every((answer) => answer.allowed));
    assert.deepEqual(levels(), ['warn']);
    redis.resume();
    await until('Redis is used', () => levels().includes('info'));
    assert.deepEqual(levels(), ['warn', 'info']);
  });

  test('a pause of this process at its start is not taken for it', needsRedis, async () => {
    const redis = await redisServer();
    const { limits, levels } = start({ redisUrl: redis.url, redisWaitMs: 1000 });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200);
    assert.equal((await take(limits)).left, 999);
    assert.deepEqual(levels(), []);
  });

  // Waiting each time would take 200 s.
  const bounded = { ...needsRedis, timeout: 30_000 };
  test('hanging: only the requests of the first moment wait for it', bounded, async () => {
    const redis = await redisServer();
    const { limits, levels } = start({
      redisUrl: redis.url,
      redisWaitMs: 1000,
      redisRetryMs: NEVER_MS,
    });
    assert.equal((await take(limits)).left, 999);
    redis.pause();
    for (let n = 0; n < 200; n++) assert.equal((await take(limits)).left, 999 - n);
    assert.deepEqual(levels(), ['warn']);
  });

  test('a Redis that answers but cannot count is away', needsRedis, async () => {
    const redis = await redisServer({ password: 'open' });
    const { limits, log, levels } = start({
      redisUrl: `redis://127.0.0.1:${redis.port}`,
      ...patient,
    });
    const observer = new Redis(redis.url);
    ended.push(async () => observer.disconnect());
    await until('several attempts', async () => {
      await take(limits);
      const info = await observer.info('stats');
      return Number(/total_connections_received:(\d+)/.exec(info)?.[1]) >= 6;
    });
    assert.deepEqual(levels(), ['warn']);
    assert.match(JSON.stringify(log.lines), /NOAUTH/);
  });
});

describe('Redis accepts and never answers', () => {
  test('after the first failure no request is sent to it, nor waits for it', async () => {
    const silent = await startSilentServer();
    ended.push(() => silent.stop());
    const { limits, levels } = start({
      redisUrl: `redis://127.0.0.1:${silent.port}`,
      redisRetryMs: NEVER_MS,
    });
    await take(limits);
    assert.deepEqual(levels(), ['warn']);
    const seen = silent.seen();
    for (let n = 0; n < 200; n++) assert.equal((await take(limits)).left, 998 - n);
    assert.deepEqual(silent.seen(), seen);
    assert.ok(seen.bytes > 0);
  });

  test('a request waits 250 ms for it and no longer', async () => {
    const silent = await startSilentServer();
    ended.push(() => silent.stop());
    mock.timers.enable({ apis: ['setTimeout'] });
    ended.push(async () => mock.timers.reset());
    const { limits, levels } = start({ redisUrl: `redis://127.0.0.1:${silent.port}` });
    const answer = take(limits);
    let answered = false;
    answer.then(() => {
      answered = true;
    });
    while (silent.seen().bytes === 0) await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(249);
    for (let n = 0; n < 10; n++) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(answered, false);
    mock.timers.tick(1);
    assert.equal((await answer).allowed, true);
    assert.deepEqual(levels(), ['warn']);
  });

  test('it is dialled again and again without another warning', async () => {
    const silent = await startSilentServer();
    ended.push(() => silent.stop());
    const { limits, levels } = start({ redisUrl: `redis://127.0.0.1:${silent.port}` });
    await take(limits);
    await until('a second attempt', () => silent.seen().connections >= 2);
    await take(limits);
    assert.deepEqual(levels(), ['warn']);
  });
});

describe('credentials in REDIS_URL', () => {
  const secret = 'p%40ss-word-s3cret';

  test('are used, and never logged', needsRedis, async () => {
    const redis = await redisServer({ password: 'p@ss-word-s3cret' });
    const good = start({ redisUrl: redis.url, ...patient });
    await take(good.limits);
    assert.deepEqual(good.levels(), []);
    await redis.stop();
    await until(
      'the loss is seen',
      async () => (await take(good.limits)) && good.levels().length > 0,
    );
    const again = await redisServer({ port: redis.port, password: 'another' });
    const bad = start({ redisUrl: redis.url, ...patient });
    await take(bad.limits);
    assert.deepEqual(bad.levels(), ['warn']);
    const logged = JSON.stringify([good.log.lines, bad.log.lines]);
    assert.match(logged, /WRONGPASS/);
    assert.match(logged, new RegExp(`127\\.0\\.0\\.1:${again.port}`));
    assert.doesNotMatch(logged, /s3cret/);
  });

  test('are blotted out of what Redis says', () => {
    const { shown, redacted } = parseRedisUrl(`redis://bob:${secret}@cache.example:6380/2`);
    assert.equal(shown, 'redis://cache.example:6380/2');
    const said =
      "ERR unknown command 'HELLO', with args beginning with: '3' 'bob' 'p@ss-word-s3cret'";
    assert.doesNotMatch(redacted(said), /bob|s3cret/);
  });

  test('are not in the error for an address that is none', () => {
    const bad = [
      `redis://:${secret}@host:port`,
      `http://:${secret}@host`,
      `redis://:%zz${secret}@h`,
    ];
    for (const redisUrl of bad) {
      const refused = (error: Error) => {
        assert.match(error.message, /REDIS_URL/);
        assert.doesNotMatch(JSON.stringify([error, error.message, error.stack]), /s3cret/);
        return true;
      };
      assert.throws(() => createRateLimits({ redisUrl, log: createRecordingLog() }), refused);
    }
  });
});

describe('close', () => {
  const module = new URL('./index.ts', import.meta.url).href;
  const lines = `
    const { createRateLimits } = await import(${JSON.stringify(module)});
    const log = { info() {}, warn() {} };
    const limits = createRateLimits({ log, redisUrl: process.env.TEST_REDIS_URL });
    const taken = await limits.consume('key', { max: 5, windowSeconds: 600 }, 1);
    if (process.env.TEST_REDIS_URL) await limits.close();
    console.log(taken.allowed);
  `;

  /** Runs the lines above in a process of their own; it must end by itself. */
  async function runToItsEnd(redisUrl: string) {
    const env = { ...process.env, TEST_REDIS_URL: redisUrl };
    const child = spawn(process.execPath, ['--input-type=module', '-e', lines], { env });
    ended.push(async () => void child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (bytes) => {
        output += bytes;
      });
    }
    const signal = AbortSignal.timeout(20_000);
    const [code] = await once(child, 'exit', { signal });
    assert.deepEqual([code, output], [0, 'true\n']);
  }

  test('leaves nothing that keeps the process alive: in process', () => runToItsEnd(''));

  test('leaves nothing that keeps the process alive: Redis there', needsRedis, async () => {
    await runToItsEnd((await redisServer()).url);
  });

  test('leaves nothing that keeps the process alive: Redis silent', async () => {
    const silent = await startSilentServer();
    ended.push(() => silent.stop());
    await runToItsEnd(`redis://127.0.0.1:${silent.port}`);
  });

  test('is quiet, and may be called twice', needsRedis, async () => {
    const { limits, levels } = start({ redisUrl: (await redisServer()).url });
    const crowd = Array.from({ length: 50 }, () => take(limits));
    await limits.close();
    await limits.close();
    for (const answer of await Promise.all(crowd)) assert.equal(answer.allowed, true);
    assert.equal((await take(limits)).allowed, true);
    assert.deepEqual(levels(), []);
  });
});
