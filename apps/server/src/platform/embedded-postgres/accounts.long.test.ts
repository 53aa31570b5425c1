import assert from 'node:assert/strict';
import { chmod, chown, cp, lstat, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import test, { type TestContext } from 'node:test';
import { describePackage, locateBinariesPackage } from './binaries.ts';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './index.ts';
import { accountForPostgres, canReach } from './system-user.ts';
import { cleanUp, makeDirectory, query, rootOnly, spawnService } from './test-support/scene.ts';

const NOBODY = { name: 'nobody', uid: 65534, gid: 65534 };

function startLogging(options: Omit<EmbeddedPostgresOptions, 'log'>) {
  const lines: string[] = [];
  const keep = (_details: object, message: string) => lines.push(message);
  const log = { info: keep, warn: keep };
  return { lines, started: startEmbeddedPostgres({ durable: false, ...options, log }) };
}

/** A data directory below one that only root may pass. */
async function hiddenDataDir(t: TestContext): Promise<string> {
  const hidden = await makeDirectory(t, 0o700);
  const dataDir = path.join(hidden, 'data');
  await mkdir(dataDir);
  return dataDir;
}

test('root runs PostgreSQL as the system user', rootOnly, async (t) => {
  const dataDir = await makeDirectory(t);
  const postgres = await startLogging({ dataDir }).started;
  cleanUp(t, postgres.stop);
  const account = await accountForPostgres();
  assert.equal((await stat(path.join(dataDir, 'postgres'))).uid, account?.uid);
  const status = await readFile(`/proc/${postgres.pid()}/status`, 'utf8').catch(() => null);
  if (status) assert.match(status, new RegExp(`^Uid:\\t${account?.uid}\\t`, 'm'));
  assert.deepEqual(await query(postgres.url, 'SELECT 1 AS n'), [{ n: 1 }]);
});

test(
  'root keeps the cluster elsewhere when the system user cannot reach the data directory',
  rootOnly,
  async (t) => {
    const dataDir = await hiddenDataDir(t);
    const sharedDir = path.join(await makeDirectory(t), 'leadwire');
    const { lines, started } = startLogging({ dataDir, sharedDir });
    const first = await started;
    cleanUp(t, first.stop);
    await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS n');
    await first.stop();
    const [name] = await readdir(sharedDir);
    const place = path.join(sharedDir, String(name));
    assert.equal((await readFile(path.join(dataDir, 'postgres-location'), 'utf8')).trim(), place);
    assert.equal(lines.filter((line) => line.includes(dataDir) && line.includes(place)).length, 1);
    assert.equal((await stat(place)).mode & 0o777, 0o755);
    assert.equal((await stat(path.join(place, 'cluster'))).mode & 0o777, 0o700);

    const second = await startLogging({ dataDir, sharedDir }).started;
    cleanUp(t, second.stop);
    assert.deepEqual(await query(second.url, 'SELECT n FROM kept'), [{ n: 7 }]);
    await second.stop();

    await rm(place, { recursive: true });
    await assert.rejects(startLogging({ dataDir, sharedDir }).started, { code: 'cluster_missing' });
  },
);

test(
  'root copies binaries that the system user cannot reach, links made, and uses the copy again',
  rootOnly,
  async (t) => {
    const hidden = await makeDirectory(t, 0o700);
    const installed = await locateBinariesPackage();
    await cp(installed.packageDir, hidden, {
      recursive: true,
      filter: async (source) => !(await lstat(source)).isSymbolicLink(),
    });
    await chmod(hidden, 0o700);
    const binariesPackage = await describePackage(hidden);
    const sharedDir = path.join(await makeDirectory(t), 'leadwire');
    const dataDir = await makeDirectory(t);
    const first = await startLogging({ dataDir, sharedDir, binariesPackage }).started;
    cleanUp(t, first.stop);
    assert.deepEqual(await query(first.url, 'SELECT 1 AS n'), [{ n: 1 }]);
    await first.stop();
    const [copy] = await readdir(sharedDir);
    const made = await stat(path.join(sharedDir, String(copy)));
    const { lines, started } = startLogging({ dataDir, sharedDir, binariesPackage });
    const second = await started;
    cleanUp(t, second.stop);
    assert.equal((await stat(path.join(sharedDir, String(copy)))).ino, made.ino);
    assert.ok(lines.some((line) => line.includes(String(copy))));
  },
);

test(
  'where nothing can be written for the system user, the sentence names the settings',
  rootOnly,
  async (t) => {
    const dataDir = await hiddenDataDir(t);
    // Not even root can make a directory below a device.
    const { started } = startLogging({ dataDir, sharedDir: '/dev/null/leadwire' });
    await assert.rejects(started, (error: Error) => {
      assert.match(error.message, /\/dev\/null\/leadwire.*LEADWIRE_DATA_DIR.*DATABASE_URL/);
      return true;
    });
  },
);

test(
  'a plain user runs PostgreSQL as itself; root then goes on as that user, another user is refused',
  rootOnly,
  async (t) => {
    if (!(await canReach(NOBODY, import.meta.dirname))) return t.skip('sources out of reach');
    const dataDir = await makeDirectory(t);
    await chown(dataDir, NOBODY.uid, NOBODY.gid);
    const service = spawnService(t, { dataDir }, { uid: NOBODY.uid, gid: NOBODY.gid });
    const { url, error } = JSON.parse(await service.firstLine);
    assert.equal(error, undefined);
    assert.deepEqual(await query(url, 'SELECT 1 AS n'), [{ n: 1 }]);
    assert.equal((await stat(path.join(dataDir, 'postgres'))).uid, NOBODY.uid);
    await service.kill();

    const asRoot = await startLogging({ dataDir }).started;
    cleanUp(t, asRoot.stop);
    assert.deepEqual(await query(asRoot.url, 'SELECT 1 AS n'), [{ n: 1 }]);
    await asRoot.stop();
  },
);

test('a plain user is refused a cluster that root made, with a sentence', rootOnly, async (t) => {
  if (!(await canReach(NOBODY, import.meta.dirname))) return t.skip('sources out of reach');
  const dataDir = await makeDirectory(t);
  const asRoot = await startLogging({ dataDir }).started;
  await asRoot.stop();
  await chmod(dataDir, 0o777);
  await chmod(path.join(dataDir, 'lock.db'), 0o666);
  const service = spawnService(
    t,
    { dataDir },
    {
      uid: NOBODY.uid,
      gid: NOBODY.gid,
    },
  );
  const { error } = JSON.parse(await service.firstLine);
  assert.match(error, /belongs to user id \d+, and Leadwire runs as user id 65534/);
});
