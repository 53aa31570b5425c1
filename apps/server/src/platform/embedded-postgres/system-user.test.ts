import assert from 'node:assert/strict';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { canReach, ensureSystemAccount } from './system-user.ts';
import { makeDirectory } from './test-support/scene.ts';

const ROOT_LINE = 'root:x:0:0:root:/root:/bin/sh\n';
const POSTGRES_LINE = 'postgres:x:101:104::/var/lib/postgresql:/bin/sh\n';

test('an account that exists is taken and nothing is created', async () => {
  const account = await ensureSystemAccount({
    readAccounts: async () => ROOT_LINE + POSTGRES_LINE,
    run: async () => assert.fail('nothing to run'),
  });
  assert.deepEqual(account, { name: 'postgres', uid: 101, gid: 104 });
});

test('a missing account is created as a system account', async () => {
  const ran: string[] = [];
  let accounts = ROOT_LINE;
  const account = await ensureSystemAccount({
    readAccounts: async () => accounts,
    run: async (file, args) => {
      ran.push([file, ...args].join(' '));
      if (file === 'useradd') accounts += POSTGRES_LINE;
      return { code: file === 'id' ? 1 : 0, output: '' };
    },
  });
  assert.equal(account.uid, 101);
  assert.ok(ran.some((line) => line.startsWith('groupadd --system postgres')));
  assert.ok(ran.some((line) => line.startsWith('useradd --system --gid postgres')));
});

test('an account of a directory service is found by id', async () => {
  const account = await ensureSystemAccount({
    readAccounts: async () => ROOT_LINE,
    run: async (_file, args) => ({ code: 0, output: args[0] === '-u' ? '700\n' : '701\n' }),
  });
  assert.deepEqual(account, { name: 'postgres', uid: 700, gid: 701 });
});

test('an account that cannot be created is answered with a sentence', async () => {
  const failing = ensureSystemAccount({
    readAccounts: async () => ROOT_LINE,
    run: async () => Promise.reject(new Error('spawn useradd ENOENT')),
  });
  await assert.rejects(failing, (error: Error) => {
    assert.match(error.message, /must not run as root.*"postgres".*plain user.*DATABASE_URL/);
    return true;
  });
});

test('a directory is in reach only when every directory above it lets the account pass', async (t) => {
  const stranger = { name: 'stranger', uid: 54321, gid: 54321 };
  const top = await makeDirectory(t);
  const inner = path.join(top, 'a', 'b');
  await mkdir(inner, { recursive: true });
  await chmod(path.join(top, 'a'), 0o711);
  await chmod(inner, 0o755);
  assert.equal(await canReach(stranger, inner), true);
  await chmod(path.join(top, 'a'), 0o700);
  assert.equal(await canReach(stranger, inner), false);
});
