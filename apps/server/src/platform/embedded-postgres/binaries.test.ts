import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, lstat, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import {
  describePackage,
  linkLibraries,
  locateBinariesPackage,
  probeBinaries,
} from './binaries.ts';
import { accountForPostgres, canReach } from './system-user.ts';
import { makeDirectory, rootOnly } from './test-support/scene.ts';

test('a platform without binaries is answered with a sentence that names DATABASE_URL', async () => {
  await assert.rejects(locateBinariesPackage('sunos', 'sparc'), (error: Error) => {
    assert.match(error.message, /No PostgreSQL binaries for sunos-sparc.*DATABASE_URL/);
    return true;
  });
});

test('binaries installed without install scripts run after their links are made', async (t) => {
  const packageDir = await makeDirectory(t);
  const installed = await locateBinariesPackage();
  await cp(installed.packageDir, packageDir, {
    recursive: true,
    filter: async (source) => !(await lstat(source)).isSymbolicLink(),
  });
  const account = await accountForPostgres();
  const bare = await describePackage(packageDir);
  const linked = (await readdir(path.join(packageDir, 'native/lib'), { withFileTypes: true })).some(
    (entry) => entry.isSymbolicLink(),
  );
  assert.equal(linked, false);
  assert.equal(typeof (await probeBinaries(bare, account)), 'string');
  await linkLibraries(packageDir);
  assert.notEqual(typeof (await probeBinaries(bare, account)), 'string');
});

/** A package of one library and one link to it. */
async function makeSmallPackage(packageDir: string): Promise<string> {
  await mkdir(path.join(packageDir, 'native/lib'), { recursive: true });
  await writeFile(path.join(packageDir, 'native/lib/a.so.1'), '');
  await writeFile(
    path.join(packageDir, 'native/pg-symlinks.json'),
    JSON.stringify([{ source: 'native/lib/a.so.1', target: 'native/lib/a.so' }]),
  );
  return path.join(packageDir, 'native/lib/a.so');
}

test('links that are there are left alone, even where they point elsewhere', async (t) => {
  const packageDir = await makeDirectory(t);
  const link = await makeSmallPackage(packageDir);
  await symlink('elsewhere', link);
  const before = await lstat(link);
  await linkLibraries(packageDir);
  assert.equal((await lstat(link)).ino, before.ino);
});

test('a link that cannot be made is answered with a sentence', rootOnly, async (t) => {
  const nobody = { name: 'nobody', uid: 65534, gid: 65534 };
  if (!(await canReach(nobody, import.meta.dirname))) return t.skip('sources out of reach');
  const packageDir = await makeDirectory(t);
  const link = await makeSmallPackage(packageDir);
  const script = `import { linkLibraries } from ${JSON.stringify(path.join(import.meta.dirname, 'binaries.ts'))};
    await linkLibraries(${JSON.stringify(packageDir)}).catch((error) => console.log(error.message));`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    uid: nobody.uid,
    gid: nobody.gid,
  });
  const { stdout } = await run;
  assert.ok(stdout.includes(link) && stdout.includes('npm rebuild'), stdout);
  await rm(packageDir, { recursive: true });
});
