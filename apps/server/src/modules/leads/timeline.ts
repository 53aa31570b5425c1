import { LEAD_FIELDS, type LeadField, LIMITS } from '@leadwire/contract';
import type { Actor, DashboardApi, TimelineEntry } from '@leadwire/contract/dashboard';
import type { Database } from '../../platform/database/index.ts';
import { notFound } from '../../platform/errors/index.ts';
import type { FairQueue } from '../../platform/grouping/index.ts';
import type { DeliveryLog } from '../deliveries/index.ts';
import { type Events, eventIdOf } from '../events/index.ts';
import { type AuditRow, listAuditRecords } from './repository/history.ts';
import { findSeenLead } from './repository/shown.ts';

/** How people know who changed something; names that are no longer stored are missing. */
export type ActorNames = {
  keys(accountId: string, publicKeys: string[]): Promise<Map<string, string>>;
  people(ids: string[]): Promise<Map<string, string>>;
  /** By the public ids of the account's forms. */
  forms(accountId: string, publicIds: string[]): Promise<Map<string, string>>;
};

export type TimelineDeps = {
  database: Database;
  heavyRead: FairQueue;
  events: Pick<Events, 'ofLead'>;
  deliveryLog: Pick<DeliveryLog, 'ofEvents'>;
  actorNames: ActorNames;
};

type Answer = DashboardApi['getTimeline']['answer'];
type LeadKey = { accountId: string; leadId: string };

/** How many changes a page has: what one request reads is bounded, however often a lead was changed. */
const CHANGES = 25;

/**
 * What happened to a lead, newest first: `CHANGES` audit records below version `before`, and all that came of them.
 * @throws AppError 404
 */
export function createTimeline(deps: TimelineDeps) {
  const { database, heavyRead } = deps;
  return (lead: LeadKey, before: number = LIMITS.maxInt32): Promise<Answer> =>
    heavyRead(lead.accountId, async () => {
      if (!(await findSeenLead(database, lead))) throw notFound();
      const page = { limit: CHANGES + 1, beforeVersion: before };
      const rows = await listAuditRecords(database, lead, page);
      const records = rows.slice(0, CHANGES);
      const [newest, oldest] = [records[0]?.version, records.at(-1)?.version];
      if (newest === undefined || oldest === undefined) {
        return { entries: [], next_cursor: null, attempts_left_out: false };
      }
      const events = await deps.events.ofLead(lead, { from: oldest, to: newest });
      const ids = events.map(({ id }) => id);
      const deliveries = await deps.deliveryLog.ofEvents(lead.accountId, ids);
      const actorOf = await actors(deps.actorNames, lead.accountId, records);
      const entries: TimelineEntry[] = [
        ...deliveries.entries,
        ...events.map((event) => ({
          ...{ kind: 'event' as const, at: event.at, event_id: eventIdOf(event.id) },
          ...{ type: event.type, version: event.version },
        })),
        ...records.map((record) => toChange(record, actorOf(record))),
      ];
      return {
        entries: entries.sort(newestFirst),
        next_cursor: rows.length > CHANGES ? oldest : null,
        attempts_left_out: deliveries.leftOut,
      };
    });
}

// What has the same time came about in the opposite order: the change, its event, the attempt to send that.
const RANK = { waiting: 3, attempt: 2, event: 1, change: 0 } as const;

function newestFirst(a: TimelineEntry, b: TimelineEntry): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1;
  return RANK[b.kind] - RANK[a.kind];
}

async function actors(
  names: ActorNames,
  accountId: string,
  records: AuditRow[],
): Promise<(record: AuditRow) => Actor> {
  const idsOf = (type: string) => [
    ...new Set(records.filter((one) => one.actorType === type).map((one) => one.actorId)),
  ];
  const [keys, people, forms] = await Promise.all([
    names.keys(accountId, idsOf('api_key')),
    names.people(idsOf('user')),
    names.forms(accountId, idsOf('form')),
  ]);
  const known = new Map([
    ['api_key', keys],
    ['user', people],
    ['form', forms],
  ]);
  return ({ actorType: type, actorId: id }) => ({
    ...{ type, id },
    name: known.get(type)?.get(id) ?? null,
  });
}

const toChange = (row: AuditRow, actor: Actor): TimelineEntry => ({
  kind: 'change',
  at: row.occurredAt,
  version: row.version,
  change: row.kind,
  actor,
  request_id: row.requestId,
  address: row.address,
  changes: changesOf(row),
});

/** What a record changed; an insert has changed every field that has a value. */
export const changesOf = ({ before, changed, lead }: AuditRow) =>
  (before ? (changed as LeadField[]) : LEAD_FIELDS.filter((field) => lead[field] !== null)).map(
    (field) => ({ field, before: before?.[field] ?? null, after: lead[field] ?? null }),
  );
