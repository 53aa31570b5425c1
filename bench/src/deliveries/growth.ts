import pg from 'pg';
import type { Leadwire } from '../leadwire.ts';
import { decimals, table, whole } from '../numbers.ts';
import type { Section, Target } from '../report.ts';
import type { Bench } from '../run.ts';
import { batchFeed } from './contenders.ts';
import { untilDrained } from './drained.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { createWebhook } from './webhooks.ts';

type Part = { seconds: number; tableMib: number; indexMib: number; dead: number; logMib: number };

/** Many deliveries a lead, so that the leads' own table grows little and what is seen is the queue's. */
const WEBHOOKS = 10;
const PARTS = 3;
const LEADS_A_CHUNK = 10_000;
const WANTED = 1.1;

/** Delivers a million, and a million again: what was delivered may not slow what comes. */
export async function runGrowth(
  bench: Bench,
  leadwire: Leadwire,
): Promise<{ sections: Section[]; targets: Target[] }> {
  const receiver = await startReceiver(bench.work);
  bench.stops.push(receiver.service.stop);
  for (let i = 0; i < WEBHOOKS; i += 1) await createWebhook(leadwire, receiver.url(hook(i)));
  const leads = Math.ceil(bench.options.size / WEBHOOKS / LEADS_A_CHUNK) * LEADS_A_CHUNK;
  const feed = batchFeed(leadwire);
  // A cold service would make the first part slow, and the second look fast beside it.
  const warmUp = Math.max(LEADS_A_CHUNK, leads / 5);
  await deliver(receiver, () => feed(1, warmUp), warmUp);
  const parts: Part[] = [];
  for (let part = 0; part < PARTS; part += 1) {
    await untilDrained(leadwire.databaseUrl);
    const from = 1 + warmUp + part * leads;
    const seconds = await deliver(receiver, () => feed(from, leads), leads);
    parts.push({ seconds, ...(await sizes(leadwire.databaseUrl)) });
    const rate = whole((leads * WEBHOOKS) / seconds);
    bench.progress(`part ${part + 1}: ${decimals(seconds, 1)} s, ${rate} deliveries/s`);
  }
  return report(parts, leads);
}

const hook = (index: number) => `/hook/growth-${index}`;

/** Seconds from the first post to the last receipt at the last of the endpoints. */
async function deliver(
  receiver: Receiver,
  feed: () => Promise<{ startedAt: number }>,
  leads: number,
): Promise<number> {
  await receiver.reset();
  const [{ startedAt }, ...states] = await Promise.all([
    feed(),
    ...Array.from({ length: WEBHOOKS }, (_, index) => receiver.until(hook(index), leads)),
  ]);
  return (Math.max(...states.map((state) => state.lastNewAt)) - startedAt) / 1000;
}

async function sizes(databaseUrl: string): Promise<Omit<Part, 'seconds'>> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT pg_table_size('deliveries') / 1048576.0 AS "tableMib",
         pg_indexes_size('deliveries') / 1048576.0 AS "indexMib",
         (SELECT n_dead_tup FROM pg_stat_user_tables WHERE relid = 'deliveries'::regclass) AS dead,
         (SELECT sum(pg_total_relation_size(relid)) / 1048576.0
          FROM pg_partition_tree('delivery_attempts') WHERE isleaf) AS "logMib"`,
    );
    const [row] = rows as [Record<keyof Omit<Part, 'seconds'>, string>];
    return {
      tableMib: Number(row.tableMib),
      indexMib: Number(row.indexMib),
      dead: Number(row.dead),
      logMib: Number(row.logMib),
    };
  } finally {
    await client.end();
  }
}

function report(parts: Part[], leads: number): { sections: Section[]; targets: Target[] } {
  const deliveries = leads * WEBHOOKS;
  const first = parts[0]?.seconds ?? Number.NaN;
  const head = [
    'part',
    's',
    'deliveries/s',
    '× the first',
    'queue MiB',
    'its indexes',
    'dead rows',
  ];
  const rows = parts.map((part, index) => [
    String(index + 1),
    decimals(part.seconds, 1),
    whole(deliveries / part.seconds),
    decimals(part.seconds / first, 2),
    decimals(part.tableMib, 1),
    decimals(part.indexMib, 1),
    whole(part.dead),
    decimals(part.logMib, 0),
  ]);
  const text = [
    table([...head, 'log MiB'], rows),
    '',
    `Each part: ${whole(deliveries)} deliveries, ${whole(leads)} leads to ${WEBHOOKS} webhooks, from the first ` +
      'post to the last receipt; one process, one receiver.',
  ].join('\n');
  const second = (parts[1]?.seconds ?? Number.NaN) / first;
  const target: Target = {
    what: `time of the second ${whole(deliveries)} deliveries ÷ the first`,
    wanted: `≤ ${WANTED}`,
    measured: decimals(second, 2),
    met: second <= WANTED,
  };
  return { sections: [{ title: 'Growth', text }], targets: [target] };
}
