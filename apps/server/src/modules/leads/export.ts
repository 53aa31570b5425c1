import type { Lead } from '@leadwire/contract';
import { type Database, isTimeout } from '../../platform/database/index.ts';
import type { FairQueue } from '../../platform/grouping/index.ts';
import { searchTooSlow } from './errors.ts';
import { filterOf, type LeadQuery, searchOf } from './filter.ts';
import { type LeadPage, type Looking, readLeadPage } from './repository/export.ts';

/**
 * Every lead of the account that the list would show, newest first, as pages. The first page is there when it resolves; the next one is
 * read while a page is used, and nothing else: whoever stops has read one page too many. Between pages nothing of the store is
 * held, so that a reader may take as long as they like. Each lead that was there when it began comes once, whatever is
 * inserted or changed meanwhile, as it is when its page is read; one whose change takes it out of the filter, or into it, may come or not.
 * @throws AppError 503 where a search takes too long; the pages throw it too
 */
export type ExportLeads = (accountId: string, query: LeadQuery) => Promise<AsyncIterable<Lead[]>>;

/** Text of one page, about: what an export holds in memory does not depend on how long the leads are. */
const PAGE_CHARS = 1_500_000;
const PAGE_LEADS = { first: 100, least: 20, most: 2_000 };

export function createExportLeads(deps: { database: Database; heavyRead: FairQueue }): ExportLeads {
  return async (accountId, query) => {
    const filter = filterOf(accountId, query);
    const read = (looking: Looking, limit: number, createdBefore: string | null) =>
      deps
        .heavyRead(accountId, () =>
          readLeadPage(deps.database, { ...filter, createdBefore }, looking, limit),
        )
        .catch((error) => {
          throw isTimeout(error) ? searchTooSlow() : error;
        });
    const { looking, page } = await begin(query, (how) =>
      read(how, PAGE_LEADS.first, filter.createdBefore),
    );
    return pagesFrom(page, PAGE_LEADS.first, (limit, before) => read(looking, limit, before));
  };
}

/** As the list searches: by the whole text, and by names where it is of no lead. What the first page was found by holds for all. */
async function begin(
  { search }: LeadQuery,
  readFirst: (looking: Looking) => Promise<LeadPage>,
): Promise<{ looking: Looking; page: LeadPage }> {
  const text = searchOf(search);
  if (!text) return { looking: { how: 'all' }, page: await readFirst({ how: 'all' }) };
  const exact: Looking = { how: 'exact', ...text };
  const page = await readFirst(exact);
  if (page.leads.length > 0) return { looking: exact, page };
  const byName: Looking = { how: 'by name', ...text };
  return { looking: byName, page: await readFirst(byName) };
}

type ReadNext = (limit: number, before: string) => Promise<LeadPage>;

async function* pagesFrom(
  first: LeadPage,
  firstLimit: number,
  readNext: ReadNext,
): AsyncGenerator<Lead[]> {
  let [page, limit] = [first, firstLimit];
  for (;;) {
    const last = page.leads.at(-1);
    if (!last) return;
    const isFull = page.leads.length === limit;
    limit = nextLimit(page);
    // No two leads of an account share a created_at: the next page begins exactly behind this one.
    const next = isFull ? readNext(limit, last.created_at) : null;
    // Whoever stops here never asks what became of it.
    next?.catch(() => undefined);
    yield page.leads;
    if (!next) return;
    page = await next;
  }
}

function nextLimit({ leads, chars }: LeadPage): number {
  const fitting = Math.floor(PAGE_CHARS / (chars / leads.length));
  return Math.min(Math.max(fitting, PAGE_LEADS.least), PAGE_LEADS.most);
}
