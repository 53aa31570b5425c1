import type { Leadwire } from '../leadwire.ts';
import { bearer, LEADS_PATH } from '../traffic.ts';

export type Walk = {
  pages: number;
  leads: number;
  /** Leads met again, by UUID, and expected leads never met, by external id. */
  repeated: number;
  missing: number;
  seconds: number;
};

type Page = { leads: { id: string; external_lead_id: string }[]; nextCursor: string | null };

/**
 * Walks the whole list by cursor, 100 leads a page. `from` and `count` say which numbers the
 * account's leads carry in their external ids.
 */
export async function walk(leadwire: Leadwire, from: number, count: number): Promise<Walk> {
  const url = new URL(`http://127.0.0.1:${leadwire.service.port}${LEADS_PATH}?limit=100`);
  const headers = bearer(leadwire.key.secret_key);
  const ids = new Set<string>();
  const met = new Uint8Array(count);
  const result = { pages: 0, leads: 0 };
  const started = performance.now();
  for (let cursor: string | null = ''; cursor !== null; ) {
    if (cursor !== '') url.searchParams.set('cursor', cursor);
    const response = await fetch(url, { headers });
    if (response.status !== 200) {
      throw new Error(`list: ${response.status} ${await response.text()}`);
    }
    const page = (await response.json()) as Page;
    for (const lead of page.leads) {
      ids.add(lead.id);
      met[Number(lead.external_lead_id.slice('bench-'.length)) - from] = 1;
    }
    result.pages += 1;
    result.leads += page.leads.length;
    cursor = page.nextCursor;
  }
  return {
    ...result,
    repeated: result.leads - ids.size,
    missing: met.reduce((missing, seen) => missing - seen, count),
    seconds: (performance.now() - started) / 1000,
  };
}
