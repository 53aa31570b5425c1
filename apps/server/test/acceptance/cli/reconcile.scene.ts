import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { cli, createTestDatabase, type Json, seed, startServer } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

/** A server, and a directory of files to compare with it. */

export const database = await createTestDatabase();
export const { ours, theirs } = seed();
export const server = await startServer({ database });
export const home = await mkdtemp(join(tmpdir(), 'leadwire-reconcile-'));

after(async () => {
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

export const path = (name: string) => join(home, name);

/** The command in a directory of its own, with nothing but the key in its environment. */
export const reconcile = (file: string, args: string[] = [], env: Record<string, string> = {}) =>
  cli(
    ['reconcile', '--file', path(file), '--url', server.url, ...args],
    { LEADWIRE_KEY: ours.reader.secret_key, ...env },
    home,
  );

export async function file(name: string, lines: (string | Buffer)[]): Promise<void> {
  await writeFile(
    path(name),
    Buffer.concat(lines.flatMap((one) => [Buffer.from(one as string), Buffer.from('\n')])),
  );
}

export async function insert(fields: Json = {}): Promise<Json> {
  const body = newLead(fields);
  const answer = await server.call('POST', '/api/v1/insertion/leads', { key: ours.full, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.json.lead;
}
