import {
  type Database,
  type TimestampText,
  timestampToIso,
} from '../../../platform/database/index.ts';
import type { Resolution } from '../ranges.ts';

export type Wanted = {
  accountId: string;
  resolution: Resolution;
  metrics: readonly string[];
  /** The first moment that counts, ISO 8601. */
  since: string;
};

/*
 * `figure`: what is summed up and what is not yet, in one snapshot. A tally also stands for its detail, as the fold has it.
 * $1 account, $2 resolution, $3 metrics, $4 since.
 */
const FIGURES = `
  WITH pending AS MATERIALIZED (
    SELECT date_trunc($2, at, 'UTC') AS at, metric, subject, outcome, detail, n FROM tallies
    WHERE tallies.account_id = $1 AND at >= $4::timestamptz
  ),
  figure AS MATERIALIZED (
    SELECT at, metric, subject, outcome, n FROM counts
    WHERE counts.account_id = $1 AND resolution = $2 AND metric = ANY ($3::text[]) AND at >= $4::timestamptz
    UNION ALL
    SELECT at, metric, subject, outcome, n FROM pending WHERE metric = ANY ($3)
    UNION ALL
    SELECT at, 'sources', detail, outcome, n FROM pending WHERE metric = 'leads' AND 'sources' = ANY ($3)
    UNION ALL
    SELECT at, 'latency', detail, outcome, n FROM pending
    WHERE metric = 'deliveries' AND detail <> '' AND 'latency' = ANY ($3)
  )`;

const valuesOf = ({ accountId, resolution, metrics, since }: Wanted) => [
  ...[accountId, resolution, metrics, since],
];

export type Point = { metric: string; at: string; outcome: string; n: number };
export type Part = { metric: string; subject: string; outcome: string; n: number };

type PartRow = {
  metric: string;
  at: TimestampText | null;
  subject: string;
  outcome: string;
  n: string;
};

/**
 * Sums by step, and from `partsSince` on by subject, of one moment: both tell of the same leads. Of requests the subject, a
 * key, is left out.
 */
export async function readFigures(
  database: Database,
  wanted: Wanted & { partsSince: string },
): Promise<{ points: Point[]; parts: Part[] }> {
  const rows = await database.query<PartRow>({
    name: 'statistics-figures',
    text: `${FIGURES}
      SELECT metric, at, '' AS subject, outcome, sum(n) AS n FROM figure
      WHERE metric IN ('leads', 'deliveries') GROUP BY metric, at, outcome
      UNION ALL
      SELECT metric, NULL, CASE metric WHEN 'requests' THEN '' ELSE subject END AS subject, outcome, sum(n)
      FROM figure WHERE at >= $5::timestamptz GROUP BY 1, 3, 4`,
    values: [...valuesOf(wanted), wanted.partsSince],
  });
  const points: Point[] = [];
  const parts: Part[] = [];
  for (const { metric, at, subject, outcome, n } of rows) {
    if (at === null) parts.push({ metric, subject, outcome, n: Number(n) });
    else points.push({ metric, at: timestampToIso(at), outcome, n: Number(n) });
  }
  return { points, parts };
}

/** Sums by step of one metric, of one subject where one is given. */
export async function readSeries(
  database: Database,
  wanted: Wanted & { subject: string | null },
): Promise<Point[]> {
  const rows = await database.query<PartRow & { at: TimestampText }>({
    name: 'statistics-series',
    text: `${FIGURES}
      SELECT metric, at, outcome, sum(n) AS n FROM figure
      WHERE $5::text IS NULL OR subject = $5 GROUP BY metric, at, outcome`,
    values: [...valuesOf(wanted), wanted.subject],
  });
  return rows.map(({ metric, at, outcome, n }) => ({
    ...{ metric, outcome },
    at: timestampToIso(at),
    n: Number(n),
  }));
}

export type CampaignTotals = { campaignId: number; leads: number; lastDay: number };

/** Leads that were inserted, by campaign: ever, and since `since`, to the minute. */
export async function readCampaignTotals(
  database: Database,
  { accountId, since }: { accountId: string; since: string },
): Promise<CampaignTotals[]> {
  const rows = await database.query<{ campaign: string; leads: string; last_day: string }>({
    name: 'statistics-campaigns',
    text: `
      SELECT subject AS campaign, coalesce(sum(n) FILTER (WHERE is_ever), 0) AS leads,
        coalesce(sum(n) FILTER (WHERE at >= $2::timestamptz), 0) AS last_day
      FROM (
        SELECT subject, at, n, true AS is_ever FROM counts
        WHERE counts.account_id = $1 AND resolution = 'ever' AND metric = 'leads' AND outcome = 'inserted'
        UNION ALL
        SELECT subject, at, n, false FROM counts
        WHERE counts.account_id = $1 AND resolution = 'minute' AND metric = 'leads' AND outcome = 'inserted'
          AND at >= $2::timestamptz
        UNION ALL
        SELECT subject, at, n, true FROM tallies
        WHERE tallies.account_id = $1 AND metric = 'leads' AND outcome = 'inserted'
      ) figure GROUP BY subject`,
    values: [accountId, since],
  });
  return rows.map(({ campaign, leads, last_day: lastDay }) => ({
    campaignId: Number(campaign),
    leads: Number(leads),
    lastDay: Number(lastDay),
  }));
}

/** How much has ever been counted by metric: it rises with each change, and not when tallies are summed up. */
export async function readExtent(
  database: Database,
  accountId: string,
): Promise<Map<string, string>> {
  const rows = await database.query<{ metric: string; n: string }>({
    name: 'statistics-extent',
    text: `
      SELECT metric, sum(n) AS n FROM (
        SELECT metric, n FROM counts WHERE counts.account_id = $1 AND resolution = 'ever'
        UNION ALL
        SELECT metric, n FROM tallies WHERE tallies.account_id = $1
      ) figure GROUP BY metric`,
    values: [accountId],
  });
  return new Map(rows.map(({ metric, n }) => [metric, n]));
}
