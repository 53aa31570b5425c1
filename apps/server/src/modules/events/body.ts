import { timestampToIso } from '../../platform/database/index.ts';
import { fromPublicId, toPublicId } from '../../platform/ids/index.ts';

/** An event as EVENT_COLUMNS reads it: `lead` and `campaign` are JSON text, of which exactly one is there. */
export type EventRow = {
  id: string;
  account_id: string;
  type: string;
  occurred_at: string;
  lead: string | null;
  changed: string[] | null;
  campaign: string | null;
};

/** For a statement that has `events` in its FROM, joined by EVENT_FACTS. */
export const EVENT_COLUMNS =
  'events.id, events.account_id, events.type, events.occurred_at, record.lead, record.changed, events.campaign';

/** Joins the audit record that holds the facts of a lead event (ADR 0006). */
export const EVENT_FACTS = `
  LEFT JOIN lead_audit_records record ON record.account_id = events.account_id
    AND record.lead_id = events.lead_id AND record.version = events.lead_version`;

export const eventIdOf = (uuid: string): string => toPublicId('evt', uuid);
/** @returns null where `text` is no event id */
export const parseEventId = (text: string): string | null => fromPublicId('evt', text);

/** The JSON of an event, the same at every reading: what webhooks send and the feed lists. */
export function composeEvent(row: EventRow): string {
  const data = row.lead
    ? `{"lead":${row.lead},"changed":${JSON.stringify(row.changed)}}`
    : `{"campaign":${row.campaign}}`;
  return (
    `{"id":"${eventIdOf(row.id)}","type":"${row.type}","timestamp":"${timestampToIso(row.occurred_at)}",` +
    `"account_id":"${row.account_id}","data":${data}}`
  );
}
