import { type Database, uuidArray } from '../../../../platform/database/index.ts';
import { EVENT_COLUMNS, EVENT_FACTS, type EventRow } from '../../../events/index.ts';

export type EventReference = { accountId: string; eventId: string };

/** Events with all that they say, in the order of `references`; null where there is none. */
export async function readEvents(
  database: Database,
  references: EventReference[],
): Promise<(EventRow | null)[]> {
  const rows = await database.query<EventRow>({
    name: 'events-to-send',
    text: `SELECT ${EVENT_COLUMNS}
           FROM unnest($1::uuid[], $2::uuid[]) AS wanted (account_id, id)
           JOIN events ON events.account_id = wanted.account_id AND events.id = wanted.id
           ${EVENT_FACTS}`,
    values: [
      uuidArray(references.map(({ accountId }) => accountId)),
      uuidArray(references.map(({ eventId }) => eventId)),
    ],
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return references.map(({ eventId }) => byId.get(eventId) ?? null);
}
