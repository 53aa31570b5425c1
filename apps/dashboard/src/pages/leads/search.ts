import type { DashboardApi } from '@leadwire/contract/dashboard';

/** Which leads are shown: what stands in the address. Days are those of the reader's zone. */
export type LeadsSearch = {
  search?: string;
  campaign_id?: number;
  status?: string;
  source?: string;
  /** YYYY-MM-DD, both included. */
  from?: string;
  to?: string;
  cursor?: string;
};

const NAMES = ['search', 'campaign_id', 'status', 'source', 'from', 'to', 'cursor'] as const;
const CAMPAIGN = /^[1-9]\d{0,9}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Values are checked by the service, which says what is wrong with them; a day or a campaign that is none falls away. */
export function readLeadsSearch(search: Record<string, unknown>): LeadsSearch {
  const entries = NAMES.flatMap((name) => {
    const value = search[name];
    const text = value === undefined || value === null ? '' : String(value);
    if (text === '' || !isPossible(name, text)) return [];
    // A number stands in the address without quotes.
    return [[name, name === 'campaign_id' ? Number(text) : text]];
  });
  return Object.fromEntries(entries);
}

function isPossible(name: (typeof NAMES)[number], text: string): boolean {
  if (name === 'campaign_id') return CAMPAIGN.test(text);
  return (name !== 'from' && name !== 'to') || isDay(text);
}

const isDay = (text: string): boolean =>
  DAY.test(text) && !Number.isNaN(Date.parse(`${text}T00:00`));

/** Whether anything but the page is chosen. */
export const isFiltered = ({ cursor: _page, ...filters }: LeadsSearch): boolean =>
  Object.keys(filters).length > 0;

/** The same as the service takes it. */
export function queryOf({ from, to, ...search }: LeadsSearch): DashboardApi['listLeads']['query'] {
  return {
    ...search,
    // Exclusive at both ends: the last moment of the day before, and the first of the day after.
    ...(from ? { created_after: new Date(Date.parse(`${from}T00:00`) - 1).toISOString() } : {}),
    ...(to ? { created_before: dayAfter(to).toISOString() } : {}),
  } as DashboardApi['listLeads']['query'];
}

function dayAfter(day: string): Date {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + 1);
  return date;
}

export const KINDS = ['changes', 'events', 'deliveries'] as const;
export type Kind = (typeof KINDS)[number];

/** What of a lead's timeline is shown; absent: all of it. */
export type LeadSearch = { show?: Kind };

export function readLeadSearch(search: Record<string, unknown>): LeadSearch {
  const show = KINDS.find((kind) => kind === search.show);
  return show ? { show } : {};
}
