import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { eventually } from '../../support/index.ts';
import { assertUnique, openScene } from './scene.ts';

const { database, ours, page, walk } = await openScene();

const CONNECTIONS = 8;
const STEPS = 600;

const INSERT = `
  INSERT INTO events (account_id, id, type, occurred_at, campaign)
  SELECT $1::uuid, $2::uuid, $3::text, now(),
    json_build_object('id', 1, 'account_id', $1::uuid, 'name', 'x', 'state', 'active')
  RETURNING written_in::text`;

const idOf = (uuid: string) => `evt_${uuid.replaceAll('-', '')}`;

type Open = { client: pg.Client; isOpen: boolean; ids: string[]; writtenIn: bigint };

const writers: Open[] = await Promise.all(
  Array.from({ length: CONNECTIONS }, async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    return { client, isOpen: false, ids: [], writtenIn: 0n };
  }),
);
after(() => Promise.all(writers.map(({ client }) => client.end())));

/** Begins, writes more or ends one of the transactions, at random. @returns the ids that were committed */
async function step(writer: Open): Promise<string[]> {
  if (!writer.isOpen) {
    await writer.client.query('BEGIN');
    Object.assign(writer, { isOpen: true, ids: [] });
  }
  if (writer.ids.length === 0 || randomInt(3) === 0) {
    const uuid = randomUUID();
    const type = randomInt(4) === 0 ? 'campaign.paused' : 'campaign.started';
    const { rows } = await writer.client.query(INSERT, [ours.id, uuid, type]);
    writer.ids.push(idOf(uuid));
    writer.writtenIn = BigInt(rows[0].written_in);
    return [];
  }
  const isCommitted = randomInt(5) > 0;
  await writer.client.query(isCommitted ? 'COMMIT' : 'ROLLBACK');
  writer.isOpen = false;
  return isCommitted ? writer.ids : [];
}

/** Pages all the time, from where it was, until it is told to stop and has come to the end. */
async function follow(seen: string[], type: string | null, until: () => boolean): Promise<void> {
  let query: Record<string, string> = {};
  for (;;) {
    const isLast = until();
    const { data, nextCursor, hasMore } = await page({
      ...query,
      ...(type ? { type } : {}),
      limit: String(randomInt(1, 8)),
    });
    seen.push(...data.map(({ id }: { id: string }) => id));
    query = { cursor: nextCursor };
    if (isLast && !hasMore) return;
  }
}

describe('a reader of the feed who pages while transactions are held open and commit in any order', () => {
  it('sees every event that was committed exactly once, in the order of a later walk, and no other', async () => {
    const committed: string[] = [];
    let highest = 0n;
    let late = 0;
    let isOver = false;
    const seen: string[] = [];
    const paused: string[] = [];
    const readers = [
      follow(seen, null, () => isOver),
      follow(paused, 'campaign.paused', () => isOver),
    ];
    for (let n = 0; n < STEPS; n++) {
      const writer = writers[randomInt(CONNECTIONS)] as Open;
      const ids = await step(writer);
      committed.push(...ids);
      if (ids.length > 0 && writer.writtenIn < highest) late++;
      if (ids.length > 0 && writer.writtenIn > highest) highest = writer.writtenIn;
    }
    for (const writer of writers) {
      if (writer.isOpen) await writer.client.query('COMMIT');
      if (writer.isOpen) committed.push(...writer.ids);
    }
    assert.ok(late > 20, `only ${late} transactions committed after a later one`);
    await eventually(async () => assert.equal((await walk()).length, committed.length));
    isOver = true;
    await Promise.all(readers);
    assertUnique(seen);
    assert.deepEqual(seen.toSorted(), committed.toSorted());
    const again = await walk({ limit: '100' });
    assert.deepEqual(
      seen,
      again.map(({ id }) => id),
    );
    const pausedAgain = again.filter(({ type }) => type === 'campaign.paused');
    assert.deepEqual(
      paused,
      pausedAgain.map(({ id }) => id),
    );
    assert.ok(paused.length > 0);
  });

  it('is not shown an event behind one that may still commit, and sees both once it has', async () => {
    const [early, later] = writers as [Open, Open];
    const from = await page({ from: 'now' });
    const behind = () => page({ cursor: from.nextCursor });
    const [first, second] = [randomUUID(), randomUUID()];
    await early.client.query('BEGIN');
    await early.client.query(INSERT, [ours.id, first, 'campaign.started']);
    await later.client.query(INSERT, [ours.id, second, 'campaign.started']);
    assert.deepEqual((await behind()).data, []);
    assert.deepEqual((await page({ cursor: from.nextCursor, type: 'campaign.started' })).data, []);
    await early.client.query('COMMIT');
    const ids = await eventually(async () => {
      const { data } = await behind();
      assert.equal(data.length, 2);
      return data.map(({ id }: { id: string }) => id);
    });
    assert.deepEqual(ids, [idOf(first), idOf(second)]);
  });

  it('from=now taken while a transaction is open misses neither its event nor later ones', async () => {
    const [early] = writers as [Open];
    const uuid = randomUUID();
    await early.client.query('BEGIN');
    await early.client.query(INSERT, [ours.id, uuid, 'campaign.started']);
    const { nextCursor } = await page({ from: 'now' });
    await early.client.query('COMMIT');
    await eventually(async () => {
      const { data } = await page({ cursor: nextCursor });
      assert.deepEqual(
        data.map(({ id }: { id: string }) => id),
        [idOf(uuid)],
      );
    });
  });
});
