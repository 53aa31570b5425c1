import type { Lead, LegacyLead, LegacyListQuery } from '@leadwire/contract';
import { normalizeTimestamp } from '../../platform/clock/index.ts';
import type { LeadFilter } from './repository/list.ts';

export const legacyFilter = (accountId: string, query: LegacyListQuery): LeadFilter => ({
  accountId,
  campaignId: query.campaign_id === undefined ? undefined : Number(query.campaign_id),
  status: query.status,
  createdAfter: utc(query.created_after),
  createdBefore: utc(query.created_before),
});

/** A time as a client sent it, as the store compares it: in UTC, with no more than six decimals. */
export const utc = (time: string | undefined): string | undefined =>
  time === undefined ? undefined : (normalizeTimestamp(time) as string);

export const toLegacyLead = (lead: Lead): LegacyLead => ({
  id: lead.id,
  campaign_id: String(lead.campaign_id),
  status: lead.status,
  first_name: lead.first_name,
  last_name: lead.last_name,
  email: lead.email,
  phone: lead.phone,
  address: {
    street: lead.address?.street ?? '',
    city: lead.address?.city ?? '',
    state: lead.address?.state ?? '',
    zip: lead.address?.zip ?? '',
  },
  created_at: lead.created_at,
  updated_at: lead.updated_at,
});
