import type { Delivery, DeliveryListQuery } from '@leadwire/contract';
import { normalizeTimestamp } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { firstUuidAt } from '../../../platform/ids/index.ts';
import { parseEventId } from '../../events/index.ts';
import { toDelivery } from './delivery.ts';
import { badParameter } from './errors.ts';
import { cursorOf, FIRST_UUID, ID_SLACK_MS, LAST_UUID, parseCursor } from './ids.ts';
import { type DeliveryFilter, type DeliveryPage, listDeliveries } from './repository/list.ts';

/** How many rows of each source one request looks at, at most twice. */
const MAX_LOOK = 2_500;
/** Most events have one attempt, some a few. */
const ATTEMPTS_EXPECTED = 4;

export type ReadListQuery = DeliveryListQuery & { limit: number };
type Range = Omit<DeliveryFilter, 'accountId' | 'webhookId'>;

/**
 * One page of a webhook's deliveries, newest event first. Where few meet a filter, a page may be short or empty and
 * still have a nextCursor: what one request looks at is bounded.
 */
export async function listPage(
  database: Database,
  webhook: { accountId: string; webhookId: string },
  range: Range,
  limit: number,
): Promise<{ data: Delivery[]; nextCursor: string | null }> {
  const filter = { ...webhook, ...range };
  const rows: DeliveryPage['rows'] = [];
  // One more than asked for tells whether there is a next page.
  const wanted = limit + 1;
  const isNarrow = filter.state === 'retrying' || filter.state === 'given_up' || filter.type;
  let look = isNarrow ? MAX_LOOK : wanted * ATTEMPTS_EXPECTED;
  let { below } = filter;
  for (let round = 0; round < 2; round++) {
    const page = await listDeliveries(
      database,
      { ...filter, below },
      { limit: wanted - rows.length, look },
    );
    rows.push(...page.rows);
    if (rows.length === wanted) {
      rows.pop();
      return answer(rows, webhook.webhookId, rows.at(-1)?.event_id ?? null);
    }
    if (page.lookedDownTo === null) return answer(rows, webhook.webhookId, null);
    below = page.lookedDownTo;
    look = MAX_LOOK;
  }
  return answer(rows, webhook.webhookId, below);
}

const answer = (rows: DeliveryPage['rows'], webhookId: string, next: string | null) => ({
  data: rows.map((row) => toDelivery(row, webhookId)),
  nextCursor: next && cursorOf(next),
});

/** @throws AppError 400 for a cursor or an event id that is none */
export function readRange(query: ReadListQuery): Range {
  const after = utc(query.created_after);
  const before = utc(query.created_before);
  let lowest = after ? firstUuidAt(Date.parse(after) - ID_SLACK_MS) : FIRST_UUID;
  let below = before ? firstUuidAt(Date.parse(before) + ID_SLACK_MS) : LAST_UUID;
  if (query.cursor !== undefined) {
    const cursor = parseCursor(query.cursor);
    if (!cursor) throw badParameter('cursor', 'must be the nextCursor of an earlier page');
    if (cursor < below) below = cursor;
  }
  if (query.event_id !== undefined) {
    const event = parseEventId(query.event_id);
    if (!event) throw badParameter('event_id', 'must be the id of an event, evt_…');
    // The cursor is exclusive, this one is not.
    if (event > lowest) lowest = event;
    const next = nextUuid(event);
    if (next < below) below = next;
  }
  const { state, type } = query;
  return { state, type, createdAfter: after, createdBefore: before, lowest, below };
}

const utc = (time: string | undefined): string | undefined =>
  time === undefined ? undefined : (normalizeTimestamp(time) as string);

function nextUuid(uuid: string): string {
  const next = (BigInt(`0x${uuid.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  if (next.length > 32) return LAST_UUID;
  return next.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
