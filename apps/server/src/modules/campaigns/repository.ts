import type { CampaignState } from '@leadwire/contract';
import {
  type Database,
  int4Array,
  type TimestampText,
  uuidArray,
} from '../../platform/database/index.ts';
import { campaignEventCtes } from '../events/index.ts';

export async function insert(
  database: Database,
  campaign: { accountId: string; name: string; at: string },
): Promise<CampaignRow> {
  return database.transaction(async (query) => {
    // The account's row is the queue in which its new campaigns stand for their numbers.
    await query({
      text: 'SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
      values: [campaign.accountId],
    });
    const [row] = await query<CampaignRow>({
      text: `INSERT INTO campaigns (account_id, id, name, created_at, updated_at)
             SELECT $1, coalesce(max(id), 0) + 1, $2, $3, $3 FROM campaigns WHERE account_id = $1
             RETURNING id, name, state, created_at, updated_at`,
      values: [campaign.accountId, campaign.name, campaign.at],
    });
    return row as CampaignRow;
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

export type CampaignRow = {
  id: number;
  name: string;
  state: CampaignState;
  created_at: TimestampText;
  updated_at: TimestampText;
};

/** Newest first. */
export async function list(database: Database, accountId: string): Promise<CampaignRow[]> {
  return database.query<CampaignRow>({
    text: `SELECT id, name, state, created_at, updated_at FROM campaigns WHERE account_id = $1 ORDER BY id DESC`,
    values: [accountId],
  });
}

// Compared with the row once it is locked; what would not change is not written, and no event without another state.
const CHANGE = `
  WITH stored AS (
    SELECT account_id, id, name, state FROM campaigns WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE
  ), written AS (
    UPDATE campaigns SET name = coalesce($3, campaigns.name), state = coalesce($4, campaigns.state), updated_at = $5
    FROM stored
    WHERE campaigns.account_id = stored.account_id AND campaigns.id = stored.id
      AND (stored.name, stored.state) IS DISTINCT FROM (coalesce($3, stored.name), coalesce($4, stored.state))
    RETURNING campaigns.*
  ), moved AS (
    SELECT written.* FROM written
    JOIN stored ON stored.account_id = written.account_id AND stored.state <> written.state
  ), ${campaignEventCtes('moved', { id: '$6', type: '$7', at: '$5' })}
  SELECT id, name, state, created_at, updated_at, EXISTS (SELECT FROM moved) AS moved FROM written`;

/** @returns the campaign and whether its state is another; null where nothing changed. An event is written by the same statement. */
export async function change(
  database: Database,
  change: {
    accountId: string;
    id: number;
    name: string | null;
    state: string | null;
    at: string;
    eventId: string;
    eventType: string;
  },
): Promise<(CampaignRow & { moved: boolean }) | null> {
  const { accountId, id, name, state, at, eventId, eventType } = change;
  const [row] = await database.query<CampaignRow & { moved: boolean }>({
    text: CHANGE,
    values: [accountId, id, name, state, at, eventId, eventType],
  });
  return row ?? null;
}

export async function find(
  database: Database,
  { accountId, id }: CampaignReference,
): Promise<CampaignRow | null> {
  const [row] = await database.query<CampaignRow>({
    text: `SELECT id, name, state, created_at, updated_at FROM campaigns WHERE account_id = $1 AND id = $2`,
    values: [accountId, id],
  });
  return row ?? null;
}
