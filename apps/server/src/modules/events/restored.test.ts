import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase, eventually, seed } from '../../../test/support/index.ts';
import { createDatabase } from '../../platform/database/index.ts';
import { createIds } from '../../platform/ids/index.ts';
import { createFeed } from './feed.ts';
import { renumberRestoredEvents } from './index.ts';

const store = await createTestDatabase();
const silent = { info: () => undefined, warn: () => undefined };
const database = createDatabase({
  ...{ url: store.url, poolSize: 2, retryForMs: 1_000, log: silent },
  migrations: new URL('../../../migrations/', import.meta.url),
});
after(() => database.close());

const feed = createFeed(database);
const { ours, theirs } = seed();
const START = { writtenIn: '0', id: '00000000-0000-0000-0000-000000000000' };
const readAll = async (accountId: string): Promise<string[]> =>
  (await feed(accountId, { limit: 100, types: null, after: START })).events.map(
    (event) => JSON.parse(event).id,
  );

test('events of a dump that was restored into a new server are in the feed, in their order', async () => {
  const newId = createIds();
  const ids = Array.from({ length: 5 }, newId);
  const add = (account: string, id: string, writtenIn: string) =>
    store.query(
      `INSERT INTO events (account_id, id, type, occurred_at, campaign, written_in)
       VALUES ($1, $2, 'campaign.started', now(), '{"id":1}', ${writtenIn})`,
      [account, id],
    );
  // Numbers of a server that had done far more; the newest event has the least of them.
  for (const [place, id] of ids.entries()) await add(ours.id, id, `'${10 ** 9 - place}'::xid8`);
  const untouched = newId();
  await add(theirs.id, untouched, 'pg_current_xact_id()');
  const [before] = await store.query('SELECT written_in FROM events WHERE id = $1', [untouched]);
  assert.deepEqual(await readAll(ours.id), []);
  await renumberRestoredEvents(database, silent);
  const expected = ids.map((id) => `evt_${id.replaceAll('-', '')}`);
  // Transactions of other databases of the server hold the feed back.
  await eventually(async () => assert.deepEqual(await readAll(ours.id), expected));
  const [later] = await store.query('SELECT written_in FROM events WHERE id = $1', [untouched]);
  assert.deepEqual(later, before);
});
