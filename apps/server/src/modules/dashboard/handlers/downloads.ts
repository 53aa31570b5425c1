import { Readable } from 'node:stream';
import type { Lead } from '@leadwire/contract';
import { EXPORTS, type ExportLeads, exportText } from '../../leads/index.ts';
import type { DashboardDownloadHandlers } from '../request.ts';
import { createPlaces } from './places.ts';

type Deps = {
  exportLeads: ExportLeads;
  /** Milliseconds since the Unix epoch. */
  clock: { nowMs(): number };
  log: Log;
};

type Log = Record<'info' | 'warn', (details: object, message: string) => void>;

const EXPORTS_A_PERSON = 3;
const CHECKED_EACH_MS = 1_000;

/** Leads as a file, for as long as the one who asked may have them. */
export function leadDownloads({
  exportLeads,
  clock,
  log,
}: Deps): Pick<DashboardDownloadHandlers, 'exportLeads'> {
  const take = createPlaces(EXPORTS_A_PERSON);
  return {
    async exportLeads({ person, accountId, query: { format = 'csv', ...query }, stillMay }) {
      const leave = take(person.id);
      try {
        const pages = await exportLeads(accountId, query);
        const allowed = whileAllowed(pages, stillMay, clock.nowMs);
        const about = { account: accountId, person: person.id, format, leads: 0 };
        const text = exportText(allowed, format, (leads) => {
          about.leads += leads;
        });
        const stream = Readable.from(text, { objectMode: false });
        stream.once('close', () => {
          leave();
          note(log, about, stream);
        });
        const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
        return { fileName: `leads-${day}.${format}`, type: EXPORTS[format].type, stream };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

/** Who took how many, and nothing of the leads. */
function note(log: Log, about: object, { readableEnded: isWhole, errored }: Readable): void {
  if (isWhole) log.info(about, 'leads were exported');
  else if (errored === null) log.info(about, 'an export of leads was left by who asked for it');
  else log.warn({ ...about, err: errored }, 'an export of leads was broken off');
}

/** @throws where the one who asked may not have the leads any more: what was sent is then no whole file */
async function* whileAllowed(
  pages: AsyncIterable<Lead[]>,
  stillMay: () => Promise<boolean>,
  nowMs: () => number,
): AsyncGenerator<Lead[]> {
  let checkedAt = nowMs();
  for await (const page of pages) {
    if (Math.abs(nowMs() - checkedAt) >= CHECKED_EACH_MS) {
      if (!(await stillMay())) throw new Error('The session is another person’s now.');
      checkedAt = nowMs();
    }
    yield page;
  }
}
