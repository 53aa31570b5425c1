import { type Database, int4Array, uuidArray } from '../../platform/database/index.ts';
import { campaignEventCtes } from '../events/index.ts';

export async function insert(
  database: Database,
  campaign: { accountId: string; name: string; at: string },
): Promise<number> {
  return database.transaction(async (query) => {
    // The account's row is the queue in which its new campaigns stand for their numbers.
    await query({
      text: 'SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
      values: [campaign.accountId],
    });
    const [row] = await query<{ id: number }>({
      text: `INSERT INTO campaigns (account_id, id, name, created_at, updated_at)
             SELECT $1, coalesce(max(id), 0) + 1, $2, $3, $3 FROM campaigns WHERE account_id = $1
             RETURNING id`,
      values: [campaign.accountId, campaign.name, campaign.at],
    });
    return (row as { id: number }).id;
  });
}

export type CampaignReference = { accountId: string; id: number };

/** Whether each of a batch of campaigns exists, in their order. */
export async function exist(
  database: Database,
  campaigns: CampaignReference[],
): Promise<boolean[]> {
  const rows = await database.queryArrays({
    name: 'campaigns-exist',
    text: `SELECT ord::int FROM unnest($1::uuid[], $2::int4[]) WITH ORDINALITY AS input (account_id, id, ord)
           JOIN campaigns ON campaigns.account_id = input.account_id AND campaigns.id = input.id`,
    values: [
      uuidArray(campaigns.map((campaign) => campaign.accountId)),
      int4Array(campaigns.map((campaign) => campaign.id)),
    ],
  });
  const found = new Set(rows.map(([ord]) => ord));
  return campaigns.map((_, index) => found.has(index + 1));
}

/** @returns whether the state changed; its event is written by the same statement. */
export async function setState(
  database: Database,
  change: {
    accountId: string;
    id: number;
    state: string;
    at: string;
    eventId: string;
    eventType: string;
  },
): Promise<boolean> {
  const [row] = await database.query<{ count: string }>({
    text: `
      WITH changed AS (
        UPDATE campaigns SET state = $3, updated_at = $4
        WHERE account_id = $1 AND id = $2 AND state <> $3
        RETURNING *
      ), ${campaignEventCtes('changed', { id: '$5', type: '$6', at: '$4' })}
      SELECT count(*) FROM changed`,
    values: [
      change.accountId,
      change.id,
      change.state,
      change.at,
      change.eventId,
      change.eventType,
    ],
  });
  return row?.count === '1';
}
