import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { childEnvironment, type Env, entry } from '../../support/cli.ts';
import { eventually } from '../../support/index.ts';

const directories: string[] = [];
async function newDirectory(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'leadwire-start-'));
  directories.push(made);
  return made;
}
after(() => Promise.all(directories.map((path) => rm(path, { recursive: true, force: true }))));

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => socket.end(() => resolve(true)));
    socket.on('error', () => resolve(false));
  });

/** Starts the service and waits for nothing. */
function begin(env: Env) {
  const options = { env: childEnvironment({ PORT: '0', ...env }), detached: true };
  const child = spawn(process.execPath, [entry()], options);
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output.text += chunk;
    });
  }
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  return { child, output, exited };
}

describe('a signal during the start', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`${signal} ends it with 0, and PostgreSQL with it`, async () => {
      const dataDir = await newDirectory();
      const { child, output, exited } = begin({ LEADWIRE_DATA_DIR: dataDir });
      // The lock is the first that a start makes; the cluster comes after it.
      await eventually(async () => assert.ok((await readdir(dataDir)).includes('leadwire.pid')));
      assert.doesNotMatch(output.text, /listening at/);
      child.kill(signal);
      assert.deepEqual(await exited, { code: 0, signal: null }, output.text);
      const ready = output.text.split('\n').find((line) => line.includes('PostgreSQL is ready'));
      assert.equal(await isOpen(JSON.parse(ready ?? '{}').port), false);
      assert.equal((await readdir(join(dataDir, 'postgres'))).includes('postmaster.pid'), false);
    });
  }

  it('that reaches the programs it runs as well, as Ctrl-C does, ends it with 0 and no excuse', async () => {
    const dataDir = await newDirectory();
    const { child, output, exited } = begin({ LEADWIRE_DATA_DIR: dataDir });
    await eventually(async () => {
      const names = await readdir(dataDir);
      assert.ok(names.some((name) => name.startsWith('postgres.initializing-')));
    });
    process.kill(-(child.pid as number), 'SIGINT');
    assert.deepEqual(await exited, { code: 0, signal: null }, output.text);
    assert.doesNotMatch(output.text, /LEADWIRE_DATA_DIR/);
    assert.ok(!(await readdir(dataDir)).includes('leadwire.pid'));
  });
});
