import { after } from 'node:test';
import type { Env } from './cli.ts';
import { type Visitor, visitor } from './dashboard.ts';
import { createTestDatabase } from './database.ts';
import type { SeededPeople } from './people.ts';
import { seed } from './seed.ts';
import { startServer } from './server.ts';

/** A server of its own for a test file, stopped after it, with the seeded people; `as` is a browser of one of them. */
export async function openDashboard(options: { env?: Env } = {}) {
  const database = await createTestDatabase();
  const server = await startServer({ database, ...options });
  after(() => server.stop());
  const { ours, theirs, people } = seed();
  const as = (who: keyof SeededPeople): Visitor => visitor(server, people[who].cookie);
  return { database, server, ours, theirs, people, as };
}
