import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { createTestDatabase } from '../../../test/support/index.ts';
import { createDatabase } from '../../platform/database/index.ts';
import { createStatistics } from './index.ts';
import { fold, removeOld } from './repository/fold.ts';
import { addTallies } from './repository/tallies.ts';
import { latencyBucket, type WaitingTally } from './tally.ts';

const NOW_MS = Date.parse('2026-03-10T14:35:20Z');
const MINUTE = '2026-03-10T14:35:00.000000Z';

const store = await createTestDatabase({ from: 'migrated' });
const warnings: object[] = [];
const log = { warn: (details: object) => void warnings.push(details) };
const database = createDatabase({
  ...{ url: store.url, poolSize: 6, retryForMs: 3_000, migrations: new URL('file:///'), log },
});
const clock = { nowMs: () => NOW_MS };
const open = () => createStatistics({ database, writes: database, clock, log });
const reader = open();
after(async () => {
  await reader.close();
  await database.close();
});

async function createAccount(): Promise<string> {
  const id = randomUUID();
  const text = `INSERT INTO accounts (id, name, created_at) VALUES ($1, 'A', now())`;
  await store.query(text, [id]);
  return id;
}

const waiting = (accountId: string, changes: Partial<WaitingTally> = {}): WaitingTally => ({
  ...{
    accountId,
    metric: 'leads',
    subject: '1',
    outcome: 'inserted',
    detail: '',
    n: 1,
    at: MINUTE,
  },
  ...changes,
});
const write = (...tallies: WaitingTally[]) => addTallies(database, tallies);
const foldAll = async () => {
  while ((await fold(database, 1_000)) > 0);
};
const overview = (accountId: string, range: 'hour' | 'day' | 'week' | 'month' = 'hour') =>
  reader.overview({ accountId, range });

describe('what is tallied', () => {
  test('by several nodes is the sum of all of them, before it is summed up and after', async () => {
    const accountId = await createAccount();
    const [one, two] = [open(), open()];
    for (const node of [one, two]) {
      for (let n = 0; n < 3; n++) {
        node.tally({ accountId, metric: 'leads', subject: '1', outcome: 'deduped', detail: 'x' });
      }
      node.tally({ accountId, metric: 'requests', subject: 'k', outcome: 'rate_limited', n: 2 });
      node.tally({ accountId, metric: 'requests', subject: 'k', outcome: 'accepted' });
      const delivery = { accountId, metric: 'deliveries', subject: 'w' } as const;
      node.tally({ ...delivery, outcome: 'succeeded', detail: latencyBucket(3) });
      node.tally({ ...delivery, outcome: 'failed' });
      await node.close();
    }
    for (const step of [async () => undefined, foldAll]) {
      await step();
      const { leads, refused, deliveries } = await overview(accountId);
      assert.deepEqual(leads.totals, { inserted: 0, patched: 0, deduped: 6 });
      const counts = { inserted: 0, patched: 0, deduped: 6 };
      assert.deepEqual(leads.by_source, [{ source: 'x', other: false, ...counts }]);
      assert.deepEqual(refused, { total: 4, by_reason: [{ reason: 'rate_limited', count: 4 }] });
      assert.deepEqual(deliveries.totals, { succeeded: 2, failed: 2, given_up: 0 });
      assert.deepEqual(deliveries.latency_ms, { p50: 5, p95: 5, p99: 5 });
    }
  });

  test('while it is summed up is neither lost nor doubled, at no moment', async () => {
    const accountId = await createAccount();
    let isOver = false;
    let written = 0;
    const writers = Array.from({ length: 3 }, async (_, writer) => {
      for (let n = 0; n < 60; n++) {
        const tally = { subject: String(writer), detail: `=${n % 7}`, n: 1 + (n % 3) };
        await write(waiting(accountId, tally), waiting(accountId, tally));
        written += 2 * tally.n;
      }
    });
    const folding = Array.from({ length: 2 }, async () => {
      while (!isOver) await fold(database, 13);
    });
    const reading = (async () => {
      let seen = 0;
      while (!isOver) {
        const before = written;
        const now = Number((await reader.extent(accountId)).get('leads') ?? 0);
        assert.ok(now >= before, `${now} were seen of at least ${before}`);
        assert.ok(now >= seen, `${now} were seen after ${seen}`);
        seen = now;
      }
    })();
    await Promise.all(writers);
    isOver = true;
    await Promise.all([...folding, reading]);
    await foldAll();
    for (const range of ['hour', 'day', 'week', 'month'] as const) {
      const { leads } = await overview(accountId, range);
      assert.equal(leads.totals.inserted, written, range);
      assert.equal(leads.points.at(-1)?.inserted, written);
      for (const parts of [leads.by_campaign, leads.by_source]) {
        assert.equal(
          parts.reduce((sum, { inserted }) => sum + inserted, 0),
          written,
        );
      }
    }
    assert.equal((await reader.campaignTotals(accountId)).get(1)?.leads, written / 3);
    assert.equal((await reader.campaignTotals(accountId)).get(1)?.lastDay, written / 3);
  });

  test('of another account is not seen', async () => {
    const [ours, theirs] = [await createAccount(), await createAccount()];
    await write(waiting(theirs, { n: 5 }));
    await foldAll();
    await write(waiting(theirs, { n: 7 }));
    const { leads } = await overview(ours);
    assert.deepEqual(leads.totals, { inserted: 0, patched: 0, deduped: 0 });
    assert.deepEqual(leads.by_campaign, []);
    assert.equal((await reader.extent(ours)).size, 0);
    assert.equal((await reader.campaignTotals(ours)).size, 0);
    const asked = { accountId: ours, metric: 'leads', range: 'hour' } as const;
    assert.ok((await reader.series(asked)).points.every(({ outcomes }) => !outcomes.inserted));
    assert.equal((await overview(theirs)).leads.totals.inserted, 12);
  });

  test('stays within the minute, hour or day that it belongs to, and the range before', async () => {
    const accountId = await createAccount();
    const at = (text: string) => waiting(accountId, { at: `2026-${text}.000000Z` });
    await write(at('03-10T14:35:00'), at('03-10T13:36:00'), at('03-10T13:35:00'));
    await write(at('03-09T15:00:00'), at('03-09T14:59:00'), at('02-08T00:00:00'));
    const figures = async () => {
      const found: Record<string, [number, number]> = {};
      for (const range of ['hour', 'day', 'week', 'month'] as const) {
        const { totals, before } = (await overview(accountId, range)).leads;
        found[range] = [totals.inserted, before.inserted];
      }
      return found;
    };
    const expected = { hour: [2, 1], day: [4, 1], week: [5, 0], month: [5, 1] };
    assert.deepEqual(await figures(), expected);
    await foldAll();
    assert.deepEqual(await figures(), expected);
  });
});

describe('a flood of sources', () => {
  test('ends as fifty and the rest, the largest by name, and none of it is lost', async () => {
    const accountId = await createAccount();
    const flood = (from: number) =>
      Array.from({ length: 400 }, (_, i) => waiting(accountId, { detail: `=flood ${from + i}` }));
    await write(...flood(0), waiting(accountId, { detail: '=steady', n: 30 }));
    await foldAll();
    await write(...flood(10_000), waiting(accountId, { detail: '=steady', n: 30 }));
    await foldAll();
    const [{ sources, n }] = await store.query(
      `SELECT count(DISTINCT subject)::int AS sources, sum(n)::int AS n FROM counts
       WHERE account_id = $1 AND resolution = 'hour' AND metric = 'sources'`,
      [accountId],
    );
    assert.deepEqual({ sources, n }, { sources: 51, n: 860 });
    const { by_source: shown } = (await overview(accountId)).leads;
    assert.deepEqual([shown[0]?.source, shown[0]?.inserted], ['steady', 60]);
    assert.deepEqual([shown.at(-1)?.other, shown.length], [true, 21]);
    assert.equal(
      shown.reduce((sum, { inserted }) => sum + inserted, 0),
      860,
    );
  });

  test('of twenty thousand at once is summed up within what a statement may take', async () => {
    const accountId = await createAccount();
    const flood = Array.from({ length: 20_000 }, (_, i) => `=flood ${i}`);
    await write(...flood.map((detail) => waiting(accountId, { detail })));
    assert.equal(await fold(database, 20_000), 20_000);
    const { leads } = await overview(accountId);
    assert.equal(leads.totals.inserted, 20_000);
    assert.equal(leads.by_source.at(-1)?.inserted, 20_000 - 20);
  });

  test('takes no more room in memory than fifty, and long ones are cut', async () => {
    const accountId = await createAccount();
    const node = open();
    for (let i = 0; i < 1_000; i++) {
      const detail = `${i}${'😀'.repeat(200)}`;
      node.tally({ accountId, metric: 'leads', subject: '1', outcome: 'deduped', detail });
    }
    await node.close();
    const rows = await store.query('SELECT detail, n FROM tallies WHERE account_id = $1', [
      accountId,
    ]);
    assert.equal(rows.length, 51);
    assert.equal(rows.find(({ detail }) => detail === '*')?.n, 950);
    assert.ok(rows.every(({ detail }) => [...detail].length <= 121));
  });

  test('a source that is called like the rest, and none at all, are told apart', async () => {
    const accountId = await createAccount();
    const node = open();
    for (const detail of ['*', '', null]) {
      node.tally({ accountId, metric: 'leads', subject: '1', outcome: 'deduped', detail });
    }
    await node.close();
    await foldAll();
    const { by_source: shown } = (await overview(accountId)).leads;
    const found = shown.map(({ source, other }) => JSON.stringify([source, other]));
    assert.deepEqual(new Set(found), new Set(['["*",false]', '["",false]', '[null,false]']));
  });
});

test('an outcome that is no code is counted as other', async () => {
  const accountId = await createAccount();
  const node = open();
  for (const outcome of ['Bearer lwsk_secret', 'x'.repeat(500), 'scope_required:leads:write']) {
    node.tally({ accountId, metric: 'requests', subject: 'k', outcome });
  }
  await node.close();
  assert.deepEqual((await overview(accountId)).refused.by_reason, [
    { reason: 'other', count: 2 },
    { reason: 'scope_required:leads:write', count: 1 },
  ]);
});

test('what could not be written is written later, once', async () => {
  const accountId = await createAccount();
  let isAway = true;
  const writes = {
    ...database,
    transaction: ((work) =>
      isAway
        ? Promise.reject(new Error('away'))
        : database.transaction(work)) as typeof database.transaction,
  };
  const node = createStatistics({ database, writes, clock, log });
  node.tally({ accountId, metric: 'requests', subject: 'k', outcome: 'rate_limited' });
  await node.flush();
  assert.ok(warnings.length > 0);
  isAway = false;
  node.tally({ accountId, metric: 'requests', subject: 'k', outcome: 'rate_limited' });
  await node.close();
  assert.equal((await overview(accountId)).refused.total, 2);
});

test('counts that are past their time go, and others stay', async () => {
  const accountId = await createAccount();
  const ago = async (interval: string) => {
    const [{ at }] = await store.query('SELECT now() - $1::interval AS at', [interval]);
    return waiting(accountId, { at: `${at.toISOString().slice(0, -1)}000Z` });
  };
  await write(
    await ago('1 hour'),
    await ago('3 days'),
    await ago('40 days'),
    await ago('500 days'),
  );
  await foldAll();
  for (const resolution of ['minute', 'hour', 'day'] as const) {
    while ((await removeOld(database, resolution, 1)) > 0);
  }
  const rows = await store.query(
    `SELECT resolution, count(*)::int AS n, sum(n)::int AS sum FROM counts
     WHERE account_id = $1 AND metric = 'leads' GROUP BY resolution`,
    [accountId],
  );
  const kept = Object.fromEntries(rows.map(({ resolution, n, sum }) => [resolution, [n, sum]]));
  assert.deepEqual(kept, { minute: [1, 1], hour: [2, 2], day: [3, 3], ever: [1, 4] });
});

test('leads that came before they were counted are counted by the migration', async () => {
  const accountId = await createAccount();
  const file = new URL('../../../migrations/0005_counts.sql', import.meta.url);
  const backfill = /^WITH lead AS[\s\S]*$/m.exec(await readFile(file, 'utf8'))?.[0] as string;
  await store.query(
    `INSERT INTO leads (account_id, id, campaign_id, external_lead_id, version, status, email, source, custom_fields,
       created_at, updated_at)
     SELECT $1, gen_random_uuid(), 1 + n % 2, n, 1, 'new', 'a@example.org',
       CASE WHEN n % 2 = 0 THEN 's' WHEN n % 4 = 1 THEN 's' || n END, '{}', at, at
     FROM generate_series(1, 400) AS n, LATERAL (SELECT $2::timestamptz - n * interval '1 second' AS at) made`,
    [accountId, new Date(NOW_MS)],
  );
  await store.query('TRUNCATE counts, tallies');
  await store.query(backfill);
  const {
    totals,
    by_campaign: campaigns,
    by_source: sources,
  } = (await overview(accountId, 'day')).leads;
  assert.deepEqual(totals, { inserted: 400, patched: 0, deduped: 0 });
  assert.deepEqual(
    campaigns.map(({ inserted }) => inserted),
    [200, 200],
  );
  assert.deepEqual([sources[0]?.source, sources[0]?.inserted], ['s', 200]);
  assert.equal(sources.find(({ source, other }) => source === null && !other)?.inserted, 100);
  assert.equal(
    sources.reduce((sum, { inserted }) => sum + inserted, 0),
    400,
  );
  assert.equal((await reader.campaignTotals(accountId)).get(1)?.leads, 200);
});
