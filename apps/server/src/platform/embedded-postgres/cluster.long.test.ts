import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './index.ts';
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

test('the first start makes a durable UTF-8 cluster whose service role owns its database and nothing more', async (t) => {
  const dataDir = await makeDirectory(t);
  const postgres = await start(dataDir, { durable: true });
  cleanUp(t, postgres.stop);
  const [settings] = await query(
    postgres.adminUrl,
    `SELECT current_setting('server_encoding') AS encoding, current_setting('data_checksums') AS checksums,
       current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
       current_setting('TimeZone') AS zone, current_setting('listen_addresses') AS listen,
       current_setting('unix_socket_directories') AS sockets`,
  );
  assert.deepEqual(settings, {
    ...{ encoding: 'UTF8', checksums: 'on', fsync: 'on', commit: 'on' },
    ...{ zone: 'UTC', listen: '127.0.0.1', sockets: '' },
  });
  const [role] = await query(
    postgres.url,
    `SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls, current_database() AS database,
       pg_get_userbyid((SELECT datdba FROM pg_database WHERE datname = current_database())) AS owner,
       current_user AS me FROM pg_roles WHERE rolname = current_user`,
  );
  assert.deepEqual(role, {
    ...{ rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolreplication: false },
    ...{ rolbypassrls: false, database: 'leadwire', owner: 'leadwire', me: 'leadwire' },
  });
  await query(postgres.url, 'CREATE TABLE made_by_the_service (id int)');
});

test('passwords are required, stored as SCRAM verifiers, and lie in files only their owner can read', async (t) => {
  const dataDir = await makeDirectory(t);
  const postgres = await start(dataDir);
  cleanUp(t, postgres.stop);
  for (const url of [postgres.url, postgres.adminUrl]) {
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await assert.rejects(query(wrong.href, 'SELECT 1'), { code: '28P01' });
  }
  const verifiers = await query(
    postgres.adminUrl,
    'SELECT rolpassword FROM pg_authid WHERE rolcanlogin',
  );
  assert.equal(verifiers.length, 2);
  assert.ok(verifiers.every((row) => String(row.rolpassword).startsWith('SCRAM-SHA-256$')));
  for (const file of ['postgres-password', 'postgres-superuser-password', 'postgres.log']) {
    assert.equal((await stat(path.join(dataDir, file))).mode & 0o777, 0o600, file);
  }
});

test('what a failing statement holds does not reach the log of PostgreSQL', async (t) => {
  const dataDir = await makeDirectory(t);
  const postgres = await start(dataDir);
  cleanUp(t, postgres.stop);
  await assert.rejects(query(postgres.url, "SELECT 'ann@example.com'::int"));
  assert.doesNotMatch(await readFile(path.join(dataDir, 'postgres.log'), 'utf8'), /ann@example/);
});

test('data and passwords stay over a restart, and settings of the caller win', async (t) => {
  const dataDir = await makeDirectory(t);
  const first = await start(dataDir);
  cleanUp(t, first.stop);
  await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS n');
  await first.stop();
  const second = await start(dataDir, { settings: { max_connections: '11' } });
  cleanUp(t, second.stop);
  assert.equal(new URL(second.url).password, new URL(first.url).password);
  assert.deepEqual(await query(second.url, 'SELECT n FROM kept'), [{ n: 7 }]);
  assert.deepEqual(await query(second.url, 'SHOW max_connections'), [{ max_connections: '11' }]);
});

test('a lost password file is replaced by new passwords and the data stays', async (t) => {
  const dataDir = await makeDirectory(t);
  const first = await start(dataDir);
  cleanUp(t, first.stop);
  await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS n');
  await first.stop();
  await rm(path.join(dataDir, 'postgres-password'));
  const second = await start(dataDir);
  cleanUp(t, second.stop);
  assert.notEqual(new URL(second.url).password, new URL(first.url).password);
  assert.deepEqual(await query(second.url, 'SELECT n FROM kept'), [{ n: 7 }]);
});

for (const whole of ['group', 'process'] as const) {
  test(`kill -9 of the ${whole} in the middle of initdb does not block the next start`, async (t) => {
    const dataDir = await makeDirectory(t);
    const service = spawnService(t, { dataDir });
    const unfinished = await until(async () =>
      (await readdir(dataDir)).find((name) => name.startsWith('postgres.initializing-')),
    );
    await until(async () => (await readdir(path.join(dataDir, unfinished))).includes('base'));
    await service.kill(whole);
    assert.equal((await readdir(dataDir)).includes('postgres'), false);
    const postgres = await start(dataDir);
    cleanUp(t, postgres.stop);
    assert.deepEqual(await query(postgres.url, 'SELECT 1 AS n'), [{ n: 1 }]);
    if (whole === 'group') assert.equal((await readdir(dataDir)).includes(unfinished), false);
  });
}

test('a cluster of another major version is refused with a sentence and left as it was', async (t) => {
  const dataDir = await makeDirectory(t);
  const first = await start(dataDir);
  await first.stop();
  const cluster = path.join(dataDir, 'postgres');
  await writeFile(path.join(cluster, 'PG_VERSION'), '17\n');
  await writeFile(path.join(cluster, 'postmaster.pid'), `${process.pid}\n`);
  const state = async () => {
    const names = (await readdir(cluster, { recursive: true })).sort();
    return Promise.all(
      names.map(async (name) => [name, (await stat(path.join(cluster, name))).mtimeMs]),
    );
  };
  const before = await state();
  await assert.rejects(start(dataDir), (error: Error) => {
    assert.match(error.message, /made by PostgreSQL 17.*brings PostgreSQL 18.*Nothing was changed/);
    return true;
  });
  assert.deepEqual(await state(), before);
});
