import type { Overview, Range } from '@leadwire/contract/dashboard';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { type Steps, stepsOf } from './ranges.ts';
import { readCampaignNames } from './repository/campaigns.ts';
import { type Part, type Point, readFigures } from './repository/read.ts';
import { pointsOf, sumByOutcome } from './series.ts';
import { OTHER_SOURCES } from './tally.ts';

type Deps = { database: Database; clock: Pick<Clock, 'nowMs'> };
type LeadTotals = Overview['leads']['totals'];
type DeliveryTotals = Overview['deliveries']['totals'];
type NamedParts = { subject: string; totals: LeadTotals }[];

const METRICS = ['leads', 'sources', 'requests', 'deliveries', 'latency'];
const SHOWN_SOURCES = 20;

/** All figures of a range that ends now, of one moment. */
export async function readOverview(
  { database, clock }: Deps,
  { accountId, range }: { accountId: string; range: Range },
): Promise<Overview> {
  const steps = stepsOf(range, clock.nowMs());
  const { resolution, from, to, beforeFrom, stepSeconds } = steps;
  const wanted = { accountId, resolution, metrics: METRICS, since: beforeFrom, partsSince: from };
  const [{ points, parts }, names] = await Promise.all([
    readFigures(database, wanted),
    readCampaignNames(database, accountId),
  ]);
  const of = (metric: string) => parts.filter((part) => part.metric === metric);
  const pointsOfMetric = (metric: string) => points.filter((point) => point.metric === metric);
  return {
    ...{ range, from, to, step_seconds: stepSeconds },
    leads: {
      ...leadPoints(steps, pointsOfMetric('leads')),
      by_campaign: byCampaign(of('leads'), names),
      by_source: bySource(of('sources')),
    },
    refused: refusedOf(of('requests')),
    deliveries: {
      ...deliveryPoints(steps, pointsOfMetric('deliveries')),
      latency_ms: latencyOf(of('latency')),
    },
  };
}

const leadTotals = (of: Record<string, number>): LeadTotals => ({
  inserted: of.inserted ?? 0,
  patched: of.patched ?? 0,
  deduped: of.deduped ?? 0,
});

const deliveryTotals = (of: Record<string, number>): DeliveryTotals => ({
  succeeded: of.succeeded ?? 0,
  failed: of.failed ?? 0,
  given_up: of.given_up ?? 0,
});

function leadPoints(steps: Steps, found: Point[]) {
  const { from } = steps;
  return {
    totals: leadTotals(sumByOutcome(found.filter(({ at }) => at >= from))),
    before: leadTotals(sumByOutcome(found.filter(({ at }) => at < from))),
    points: pointsOf(steps, found).map(({ at, outcomes }) => ({ at, ...leadTotals(outcomes) })),
  };
}

function deliveryPoints(steps: Steps, found: Point[]) {
  const { from } = steps;
  return {
    totals: deliveryTotals(sumByOutcome(found.filter(({ at }) => at >= from))),
    points: pointsOf(steps, found).map(({ at, outcomes }) => ({
      at,
      ...deliveryTotals(outcomes),
    })),
  };
}

const total = ({ inserted, patched, deduped }: LeadTotals) => inserted + patched + deduped;

/** The largest first; without those of which there is nothing to show. */
function bySubject(parts: Part[]): NamedParts {
  return Array.from(Map.groupBy(parts, ({ subject }) => subject))
    .map(([subject, some]) => ({ subject, totals: leadTotals(sumByOutcome(some)) }))
    .filter(({ totals }) => total(totals) > 0)
    .toSorted((a, b) => total(b.totals) - total(a.totals) || (a.subject < b.subject ? -1 : 1));
}

const byCampaign = (parts: Part[], names: Map<number, string>) =>
  bySubject(parts).map(({ subject, totals }) => {
    const id = Number(subject);
    return { campaign_id: id, name: names.get(id) ?? `Campaign ${id}`, ...totals };
  });

function bySource(parts: Part[]): Overview['leads']['by_source'] {
  const all = bySubject(parts);
  const named = all.filter(({ subject }) => subject !== OTHER_SOURCES);
  const shown = named.slice(0, SHOWN_SOURCES);
  const rest = [...named.slice(SHOWN_SOURCES), ...all.filter((one) => !named.includes(one))];
  const rows = shown.map(({ subject, totals }) => ({
    source: subject === '' ? null : subject.slice(1),
    other: false,
    ...totals,
  }));
  if (rest.length === 0) return rows;
  const other = rest.flatMap(({ totals }) =>
    Object.entries(totals).map(([outcome, n]) => ({ outcome, n })),
  );
  return [...rows, { source: null, other: true, ...leadTotals(sumByOutcome(other)) }];
}

function refusedOf(parts: Part[]): Overview['refused'] {
  const by_reason = parts
    .filter(({ outcome }) => outcome !== 'accepted')
    .map(({ outcome: reason, n: count }) => ({ reason, count }))
    .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  return { total: by_reason.reduce((sum, { count }) => sum + count, 0), by_reason };
}

/** The least bound that a share of the attempts stayed within. */
function latencyOf(parts: Part[]): Overview['deliveries']['latency_ms'] {
  const buckets = parts
    .filter(({ outcome }) => outcome === 'succeeded')
    .map(({ subject, n }) => ({ bound: Number(subject), n }))
    .toSorted((a, b) => a.bound - b.bound);
  const all = buckets.reduce((sum, { n }) => sum + n, 0);
  const quantile = (share: number): number | null => {
    let passed = 0;
    for (const { bound, n } of buckets) {
      passed += n;
      if (passed >= share * all) return bound;
    }
    return null;
  };
  return { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99) };
}
