import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, eventually } from '../../support/index.ts';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const database = await createTestDatabase();

describe('npm start', () => {
  let servicePid = 0;
  after(() => {
    try {
      process.kill(servicePid, 'SIGKILL');
    } catch {}
  });

  it('leaves no service behind when npm is told to end', async () => {
    const npm = spawn('npm', ['start'], {
      cwd: ROOT,
      env: { ...process.env, ...database.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    npm.stdout.on('data', (chunk) => {
      output += chunk;
    });
    await eventually(() => assert.match(output, /listening at/));
    servicePid = Number(/"pid":(\d+)/.exec(output)?.[1]);
    assert.ok(isRunning(servicePid));
    npm.kill('SIGTERM');
    await eventually(() => assert.ok(!isRunning(servicePid)));
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
