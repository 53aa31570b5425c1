import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type TestContext } from 'node:test';
import {
  type EmbeddedPostgresOptions,
  locateRunningPostgres,
  openForCommand,
  startEmbeddedPostgres,
} from './index.ts';
import { isPostmasterOf, processExists } from './postmaster-pid.ts';
import {
  cleanUp,
  makeDirectory,
  query,
  silentLog,
  spawnService,
  until,
} from './test-support/scene.ts';

const start = (dataDir: string, more: Partial<EmbeddedPostgresOptions> = {}) =>
  startEmbeddedPostgres({ dataDir, log: silentLog, durable: false, ...more });

const cluster = (dataDir: string) => path.join(dataDir, 'postgres');

async function serve(t: TestContext, dataDir: string, durable = false) {
  const service = spawnService(t, { dataDir, durable });
  const ready: { url: string; pid: number } = JSON.parse(await service.firstLine);
  return { service, ...ready };
}

for (const whole of ['process', 'group'] as const) {
  test(`after kill -9 of the service's ${whole} the next start replaces the orphan and keeps the data`, async (t) => {
    const dataDir = await makeDirectory(t);
    const { service, url, pid } = await serve(t, dataDir);
    await query(url, 'CREATE TABLE kept AS SELECT 7 AS n');
    await service.kill(whole);
    assert.equal(await isPostmasterOf(pid, cluster(dataDir)), true, 'PostgreSQL is an orphan');
    assert.equal(await locateRunningPostgres(dataDir), null);
    const next = await start(dataDir);
    cleanUp(t, next.stop);
    assert.equal(await isPostmasterOf(pid, cluster(dataDir)), false);
    assert.deepEqual(await query(next.url, 'SELECT n FROM kept'), [{ n: 7 }]);
  });
}

test('after kill -9 of the service and of PostgreSQL the next start works', async (t) => {
  const dataDir = await makeDirectory(t);
  const { service, url, pid } = await serve(t, dataDir, true);
  await query(url, 'CREATE TABLE kept AS SELECT 7 AS n');
  await service.kill('group');
  process.kill(pid, 'SIGKILL');
  assert.ok((await readdir(cluster(dataDir))).includes('postmaster.pid'));
  const next = await start(dataDir);
  cleanUp(t, next.stop);
  assert.deepEqual(await query(next.url, 'SELECT n FROM kept'), [{ n: 7 }]);
});

test('a process id of the lock file that now is another PostgreSQL is neither signalled nor an obstacle', async (t) => {
  const dataDir = await makeDirectory(t);
  const first = await start(dataDir);
  cleanUp(t, first.stop);
  const lockFile = path.join(cluster(dataDir), 'postmaster.pid');
  const content = await readFile(lockFile, 'utf8');
  const stranger = await start(await makeDirectory(t));
  cleanUp(t, stranger.stop);
  await first.stop();
  await writeFile(lockFile, content.replace(/^\d+/, String(stranger.pid())));
  const again = await start(dataDir);
  cleanUp(t, again.stop);
  assert.deepEqual(await query(again.url, 'SELECT 1 AS n'), [{ n: 1 }]);
  assert.deepEqual(await query(stranger.url, 'SELECT 1 AS n'), [{ n: 1 }]);
});

test('a second start on a directory in use is refused with a sentence and does not disturb the first', async (t) => {
  const dataDir = await makeDirectory(t);
  const { service, url } = await serve(t, dataDir);
  await assert.rejects(start(dataDir, { lockWaitMs: 0 }), (error: Error) => {
    assert.ok(error.message.includes(dataDir) && error.message.includes(`${service.child.pid}`));
    return true;
  });
  assert.deepEqual(await query(url, 'SELECT 1 AS n'), [{ n: 1 }]);
});

test('Ctrl-C, a SIGINT to the whole process group, does not reach PostgreSQL', async (t) => {
  const dataDir = await makeDirectory(t);
  const { service, url, pid } = await serve(t, dataDir);
  const asleep = query(url, 'SELECT pg_sleep(1)');
  await until(async () => {
    const [row] = await query(
      url,
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'",
    );
    return row?.n === 1;
  });
  process.kill(-(service.child.pid as number), 'SIGINT');
  await asleep;
  assert.equal(await isPostmasterOf(pid, cluster(dataDir)), true);
});

test('a PostgreSQL that is killed is started again on the same port and its exit is told', async (t) => {
  const dataDir = await makeDirectory(t);
  const postgres = await start(dataDir, { durable: true });
  cleanUp(t, postgres.stop);
  const exits: unknown[] = [];
  postgres.onUnexpectedExit((exit) => exits.push(exit));
  await query(postgres.url, 'CREATE TABLE kept AS SELECT 7 AS n');
  for (let times = 1; times <= 2; times += 1) {
    process.kill(postgres.pid(), 'SIGKILL');
    await until(() => exits.length === times);
    assert.deepEqual(await until(() => query(postgres.url, 'SELECT n FROM kept')), [{ n: 7 }]);
  }
  assert.deepEqual(exits[0], { code: null, signal: 'SIGKILL' });
});

test('stop while PostgreSQL is being started again leaves nothing running and frees the directory', async (t) => {
  const dataDir = await makeDirectory(t);
  const postgres = await start(dataDir);
  const exited = new Promise((resolve) => postgres.onUnexpectedExit(resolve));
  process.kill(postgres.pid(), 'SIGKILL');
  await exited;
  await postgres.stop();
  await assert.rejects(query(postgres.url, 'SELECT 1'), { code: 'ECONNREFUSED' });
  const next = await start(dataDir, { lockWaitMs: 0 });
  await next.stop();
});

test('stop ends open transactions and can be called twice', async (t) => {
  const dataDir = await makeDirectory(t);
  const postgres = await start(dataDir);
  const asleep = assert.rejects(query(postgres.url, 'SELECT pg_sleep(60)'));
  await Promise.all([postgres.stop(), postgres.stop()]);
  await asleep;
  assert.equal(processExists(postgres.pid()), false);
  assert.equal((await readdir(cluster(dataDir))).includes('postmaster.pid'), false);
});

test('stop ends a PostgreSQL that does not react any more', async (t) => {
  const postgres = await start(await makeDirectory(t), { stopGraceMs: 200 });
  process.kill(postgres.pid(), 'SIGSTOP');
  await postgres.stop();
  assert.equal(processExists(postgres.pid()), false);
});

test('a service that exits without stop leaves no orphan', async (t) => {
  const dataDir = await makeDirectory(t);
  const { service, pid } = await serve(t, dataDir);
  // Answered by process.exit, which ends the process the way an uncaught error does.
  service.child.kill('SIGUSR2');
  await until(async () => !(await isPostmasterOf(pid, cluster(dataDir))));
});

test('a log of more than 10 MB is moved aside at the next start', async (t) => {
  const dataDir = await makeDirectory(t);
  const logFile = path.join(dataDir, 'postgres.log');
  await writeFile(logFile, Buffer.alloc(11 * 1024 * 1024, 'x'));
  const postgres = await start(dataDir);
  cleanUp(t, postgres.stop);
  assert.equal((await stat(`${logFile}.1`)).size, 11 * 1024 * 1024);
  assert.match(await readFile(logFile, 'utf8'), /ready to accept connections/);
});

test('a server that cannot start is answered with the place of its log and the reason', async (t) => {
  const dataDir = await makeDirectory(t);
  const failing = start(dataDir, { settings: { shared_buffers: 'plenty' } });
  await assert.rejects(failing, (error: Error & { details?: string }) => {
    assert.ok(error.message.includes(path.join(dataDir, 'postgres.log')));
    assert.match(error.details ?? '', /shared_buffers/);
    return true;
  });
  const working = await start(dataDir, { lockWaitMs: 0 });
  await working.stop();
});

test('a command uses the PostgreSQL of a running service and leaves it running', async (t) => {
  const dataDir = await makeDirectory(t);
  const { url } = await serve(t, dataDir);
  assert.deepEqual(await locateRunningPostgres(dataDir), { url });
  const command = await openForCommand({ dataDir, log: silentLog });
  assert.equal(command.url, url);
  await command.close();
  assert.deepEqual(await query(url, 'SELECT 1 AS n'), [{ n: 1 }]);
});

test('commands without a service start PostgreSQL themselves, one after the other', async (t) => {
  const dataDir = await makeDirectory(t);
  assert.equal(await locateRunningPostgres(path.join(dataDir, 'missing')), null);
  const runs = [1, 2, 3].map(async () => {
    const command = await openForCommand({ dataDir, log: silentLog, durable: false });
    const rows = await query(command.url, 'SELECT 1 AS n');
    await command.close();
    return rows;
  });
  assert.deepEqual(await Promise.all(runs), [[{ n: 1 }], [{ n: 1 }], [{ n: 1 }]]);
});
