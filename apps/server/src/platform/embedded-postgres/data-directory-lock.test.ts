import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { isDataDirectoryLocked, lockDataDirectory } from './data-directory-lock.ts';
import { makeDirectory, rootOnly, spawnProgram } from './test-support/scene.ts';

test('a second holder is refused with a sentence that names the directory, the holder and a way out', async (t) => {
  const dataDir = await makeDirectory(t);
  const holder = spawnProgram(t, 'hold-lock.ts', dataDir);
  await holder.firstLine;
  await assert.rejects(lockDataDirectory(dataDir, { waitMs: 0 }), (error: Error) => {
    assert.ok(error.message.includes(dataDir));
    assert.ok(error.message.includes(`process ${holder.child.pid} `));
    assert.match(error.message, /LEADWIRE_DATA_DIR.*DATABASE_URL/);
    return true;
  });
});

test('kill -9 of the holder frees the lock at once', async (t) => {
  const dataDir = await makeDirectory(t);
  const holder = spawnProgram(t, 'hold-lock.ts', dataDir);
  await holder.firstLine;
  assert.equal(isDataDirectoryLocked(dataDir), true);
  await holder.kill();
  assert.deepEqual((await readdir(dataDir)).sort(), ['leadwire.pid', 'lock.db']);
  const lock = await lockDataDirectory(dataDir, { waitMs: 0 });
  await lock.release();
});

test('a lock that is let go within the waiting time is taken', async (t) => {
  const dataDir = await makeDirectory(t);
  const holder = spawnProgram(t, 'hold-lock.ts', dataDir);
  await holder.firstLine;
  const taking = lockDataDirectory(dataDir, { waitMs: 15_000 });
  holder.child.kill('SIGTERM');
  await (await taking).release();
});

test('one process cannot hold a directory twice, and can take it again after release', async (t) => {
  const dataDir = await makeDirectory(t);
  const lock = await lockDataDirectory(dataDir);
  await assert.rejects(lockDataDirectory(dataDir, { waitMs: 0 }), { code: 'directory_locked' });
  await lock.release();
  await lock.release();
  assert.equal(existsSync(path.join(dataDir, 'leadwire.pid')), false);
  await (await lockDataDirectory(dataDir, { waitMs: 0 })).release();
});

test('taking the lock prints no warning', async (t) => {
  const holder = spawnProgram(t, 'hold-lock.ts', await makeDirectory(t));
  await holder.firstLine;
  await holder.kill();
  assert.equal(holder.stderr(), '');
});

test('only the owner may open the lock file, and asking creates none', async (t) => {
  const dataDir = await makeDirectory(t);
  assert.equal(isDataDirectoryLocked(dataDir), false);
  assert.equal(existsSync(path.join(dataDir, 'lock.db')), false);
  const lock = await lockDataDirectory(dataDir);
  assert.equal((await stat(path.join(dataDir, 'lock.db'))).mode & 0o777, 0o600);
  await lock.release();
});

test('a directory that cannot be written is refused with a sentence', rootOnly, async (t) => {
  const dataDir = await makeDirectory(t);
  // Even root cannot make a file where a directory of that name stands.
  await mkdir(path.join(dataDir, 'lock.db'));
  await assert.rejects(lockDataDirectory(dataDir), { code: 'directory_unusable' });
});
