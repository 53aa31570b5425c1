import assert from 'node:assert/strict';
import type { TestServer } from '../../support/index.ts';

/** Fails where the log holds one of what lets a person in, or tells of an error. */
export function assertNoneLogged(server: TestServer, secrets: readonly string[]): void {
  const log = server.logs();
  assert.deepEqual(
    secrets.filter((secret) => log.includes(secret)),
    [],
  );
  assert.ok(!/"level":"error"/.test(log), log);
}
