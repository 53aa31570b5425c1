import { RANGES, type Range, rangeQuery } from './parts.ts';

export { RANGES, type Range };

export const overviewRequests = {
  getOverview: { query: rangeQuery },
} as const;

/** Of one step of time. `at` is when it begins, ISO 8601 UTC. */
export type LeadPoint = { at: string; inserted: number; patched: number; deduped: number };
export type DeliveryPoint = { at: string; succeeded: number; failed: number; given_up: number };

export type Overview = {
  range: Range;
  from: string;
  to: string;
  step_seconds: number;
  leads: {
    totals: { inserted: number; patched: number; deduped: number };
    /** The same of the range before this one. */
    before: { inserted: number; patched: number; deduped: number };
    points: LeadPoint[];
    /** The largest first; `source` null: none was given; `other`: all that are not among the largest. */
    by_campaign: {
      campaign_id: number;
      name: string;
      inserted: number;
      patched: number;
      deduped: number;
    }[];
    by_source: {
      source: string | null;
      other: boolean;
      inserted: number;
      patched: number;
      deduped: number;
    }[];
  };
  refused: { total: number; by_reason: { reason: string; count: number }[] };
  deliveries: {
    totals: { succeeded: number; failed: number; given_up: number };
    points: DeliveryPoint[];
    /** Of the attempts that succeeded; milliseconds, the upper bound of their bucket; null where there are none. */
    latency_ms: { p50: number | null; p95: number | null; p99: number | null };
  };
};

export type AttentionItem =
  | {
      kind: 'webhook_inactive';
      webhook_id: string;
      url: string;
      reason: 'gone' | 'failing';
      since: string;
    }
  | { kind: 'webhook_failing'; webhook_id: string; url: string; since: string; failures: number }
  | { kind: 'key_expires'; key_id: string; name: string; expires_at: string }
  /** A form that is switched on, and whose key was revoked or has expired: visitors are answered 404. */
  | { kind: 'form_without_key'; form_id: string; name: string }
  | { kind: 'unaccounted_events'; count: number }
  /** The feature flag `insertion` is off: partners are answered 404. */
  | { kind: 'insertion_off' };

export type OverviewAnswers = {
  getOverview: Overview;
  getAttention: { items: AttentionItem[] };
};
