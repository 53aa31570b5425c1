import type { DashboardApi } from '@leadwire/contract/dashboard';
import { normalizeTimestamp } from '../../platform/clock/index.ts';
import { normalizePhone } from '../../platform/validation/index.ts';
import type { SearchFilter } from './repository/search.ts';

/** Which leads, as people ask for them: of the list, and of an export. */
export type LeadQuery = Omit<DashboardApi['listLeads']['query'], 'limit' | 'cursor'>;

/** What a search looks for; `phone` is null where the text is no phone number. */
export type SearchText = { text: string; phone: string | null };

export const filterOf = (accountId: string, query: LeadQuery): SearchFilter => ({
  accountId,
  campaignId: query.campaign_id ?? null,
  status: query.status ?? null,
  source: query.source ?? null,
  createdAfter: utc(query.created_after),
  createdBefore: utc(query.created_before),
});

/** @returns null where nothing is searched for */
export function searchOf(search: string | undefined): SearchText | null {
  const text = search?.trim().replace(/\s+/g, ' ') ?? '';
  if (text === '') return null;
  return { text, phone: normalizePhone(text) ?? normalizePhone(`+${text}`) };
}

const utc = (time: string | undefined): string | null =>
  time === undefined ? null : normalizeTimestamp(time);
