import type { Range } from '@leadwire/contract/dashboard';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { isoOf, type Steps, stepsOf } from './ranges.ts';
import {
  type CampaignTotals,
  type Point,
  readCampaignTotals,
  readSeries,
} from './repository/read.ts';
import type { Metric } from './tally.ts';

const DAY_MS = 86_400_000;

type Deps = { database: Database; clock: Pick<Clock, 'nowMs'> };

export type Series = {
  range: Range;
  step_seconds: number;
  /** ISO 8601 UTC; of the first step its beginning. */
  from: string;
  to: string;
  /** Every step of the range, the earliest first; an outcome that did not occur is missing. */
  points: { at: string; outcomes: Record<string, number> }[];
};

export async function readSeriesOf(
  { database, clock }: Deps,
  asked: { accountId: string; metric: Metric; subject?: string | null; range: Range },
): Promise<Series> {
  const { accountId, metric, range, subject = null } = asked;
  const steps = stepsOf(range, clock.nowMs());
  const { resolution, stepSeconds, from, to } = steps;
  const wanted = { accountId, resolution, metrics: [metric], since: from, subject };
  const found = await readSeries(database, wanted);
  const points = pointsOf(steps, found);
  return { range, step_seconds: stepSeconds, from, to, points };
}

/** One for each step, those without a count included. */
export function pointsOf(steps: Steps, found: Point[]): Series['points'] {
  const { starts, stepSeconds } = steps;
  const stepMs = stepSeconds * 1_000;
  const byStep = Map.groupBy(found, ({ at }) => Math.floor(Date.parse(at) / stepMs) * stepMs);
  return starts.map((at) => ({ at, outcomes: sumByOutcome(byStep.get(Date.parse(at)) ?? []) }));
}

/** An outcome that did not occur is missing. */
export function sumByOutcome(
  some: readonly { outcome: string; n: number }[],
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { outcome, n } of some) sums[outcome] = (sums[outcome] ?? 0) + n;
  return sums;
}

/** By campaign id; a campaign without leads is missing. */
export async function readTotalsOf(
  { database, clock }: Deps,
  accountId: string,
): Promise<Map<number, Omit<CampaignTotals, 'campaignId'>>> {
  const since = isoOf(clock.nowMs() - DAY_MS);
  const rows = await readCampaignTotals(database, { accountId, since });
  return new Map(rows.map(({ campaignId, ...totals }) => [campaignId, totals]));
}
