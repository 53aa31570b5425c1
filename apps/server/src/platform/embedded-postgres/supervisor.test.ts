import assert from 'node:assert/strict';
import test from 'node:test';
import type { Postmaster, PostmasterExit } from './postmaster.ts';
import { supervise } from './supervisor.ts';
import { silentLog, until } from './test-support/scene.ts';

/** A server without a process: `die` ends it as a kill would, `stop` as a shutdown. */
function makeServer(pid: number) {
  const { promise: exited, resolve } = Promise.withResolvers<PostmasterExit>();
  let stops = 0;
  const server: Postmaster = {
    pid,
    exited,
    interrupt: () => {},
    stop: async () => {
      stops += 1;
      resolve({ code: 0, signal: null });
    },
  };
  const die = () => resolve({ code: null, signal: 'SIGKILL' });
  return { server, die, stops: () => stops };
}

test('stop ends a server whose start came through at the same moment', {
  timeout: 10_000,
}, async () => {
  const first = makeServer(1);
  const second = makeServer(2);
  const starting = Promise.withResolvers<void>();
  const mayStart = Promise.withResolvers<void>();
  const start = async () => {
    starting.resolve();
    await mayStart.promise;
    return second.server;
  };
  const supervisor = supervise({ first: first.server, start, log: silentLog });
  first.die();
  await starting.promise;
  const stopped = supervisor.stop();
  mayStart.resolve();
  await stopped;
  assert.equal(second.stops(), 1);
});

test('a start that fails is tried again until it works', { timeout: 10_000 }, async () => {
  const first = makeServer(1);
  const second = makeServer(2);
  let starts = 0;
  const start = async () => {
    starts += 1;
    if (starts < 3) throw new Error('port taken');
    return second.server;
  };
  const supervisor = supervise({ first: first.server, start, log: silentLog });
  first.die();
  await until(() => supervisor.pid() === 2);
  await supervisor.stop();
  assert.equal(starts, 3);
});
