import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../platform/database/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { toPublicId } from '../../../platform/ids/index.ts';
import type { BackgroundLane } from '../../leads/index.ts';
import { columnsByTarget, type MappedRow, rowErrorsOf } from './map-row.ts';
import type { Task } from './repository/leases.ts';
import { findWrites, type RowOutcome } from './repository/outcomes.ts';

export type ImportRowsDeps = {
  database: Database;
  lane: Pick<BackgroundLane, 'ingest' | 'isKnown'>;
  monotonicMs: () => number;
  log: { error(details: object, message: string): void };
};

type Good = Extract<MappedRow, { input: unknown }>;

// Small groups with pauses, as a share of the time that each took: what is posted meanwhile waits for the processor and the disk the less.
const IN_FLIGHT = 64;
const PAUSE_SHARE = 0.8;
const MAX_PAUSE_MS = 100;
const CONTACT = {
  ...{ field: 'phone', column: null, code: 'required' },
  message: 'phone or email is required: the row has neither, and its lead is not known yet',
};

/** Imports, or checks, a chunk of rows; answers in their order. */
export function createImportRows({ database, lane, monotonicMs, log }: ImportRowsDeps) {
  /** @param mayHaveBegun whether somebody may have imported some of these rows before they could write it down */
  return async (task: Task, rows: MappedRow[], mayHaveBegun: boolean): Promise<RowOutcome[]> => {
    const isAgain = mayHaveBegun && task.kind === 'run';
    const written = isAgain ? await writtenOf(task, rows) : NOTHING;
    const one = task.kind === 'check' ? checker(task) : importer(task, written);
    const outcomes: RowOutcome[] = [];
    for (let at = 0; at < rows.length; at += IN_FLIGHT) {
      const since = monotonicMs();
      const settled = await Promise.allSettled(
        inOrderOfFile(rows.slice(at, at + IN_FLIGHT), (row) =>
          'errors' in row ? Promise.resolve(failed(row.line, row.errors)) : one(row),
        ),
      );
      for (const result of settled) {
        if (result.status === 'rejected') throw result.reason;
        outcomes.push(result.value);
      }
      const pauseMs = Math.min((monotonicMs() - since) * PAUSE_SHARE, MAX_PAUSE_MS);
      if (task.kind === 'run') await sleep(pauseMs);
    }
    // Whoever hung on without the lease may have written some of them meanwhile.
    return isAgain ? withWritten(task, outcomes, await writtenOf(task, rows)) : outcomes;
  };

  function checker({ accountId, settings }: Task) {
    const campaignId = settings.campaign_id as number;
    return async ({ line, input, byDefaultCountry }: Good): Promise<RowOutcome> => {
      const externalLeadId = input.external_lead_id;
      const isLead =
        (input.phone ?? input.email ?? null) !== null ||
        (await lane.isKnown({ accountId, campaignId, externalLeadId }));
      if (!isLead) return failed(line, [CONTACT]);
      return { line, outcome: 'good', leadId: null, errors: [], byDefaultCountry };
    };
  }

  /** @param written rows that are not written again: somebody may have changed their leads since */
  function importer(task: Task, written: Written) {
    const columnOf = columnsByTarget(task.settings, task.columns);
    return async ({ line, input, byDefaultCountry }: Good): Promise<RowOutcome> => {
      const requestId = requestIdOf(task, line);
      const before = written.get(requestId);
      if (before) {
        const { leadId, kind } = before;
        return { line, outcome: kind, leadId, errors: [], byDefaultCountry };
      }
      const source = { ...task.starter, requestId, address: null };
      try {
        const { status, lead } = await lane.ingest(task.accountId, input, source);
        return { line, outcome: status, leadId: lead.id, errors: [], byDefaultCountry };
      } catch (error) {
        if (error instanceof AppError && error.status === 400) {
          return failed(line, rowErrorsOf(error, columnOf));
        }
        // Of the store, not of the row: the import waits.
        if (error instanceof AppError) throw error;
        log.error({ err: error, import: task.importId, line }, 'a row could not be imported');
        const message = 'The row could not be written; the log of the service says why.';
        return failed(line, [{ field: '', column: null, code: 'internal_error', message }]);
      }
    };
  }

  /** What these rows have written until now, as audit records tell. */
  function writtenOf(task: Task, rows: MappedRow[]): Promise<Written> {
    const writes = rows.flatMap((row) => {
      if ('errors' in row) return [];
      const { line, input } = row;
      return { externalLeadId: input.external_lead_id, requestId: requestIdOf(task, line) };
    });
    const campaignId = task.settings.campaign_id as number;
    return findWrites(database, { accountId: task.accountId, campaignId }, writes);
  }
}

type Written = Awaited<ReturnType<typeof findWrites>>;
const NOTHING: Written = new Map();

function withWritten(task: Task, rows: RowOutcome[], written: Written): RowOutcome[] {
  return rows.map((row) => {
    const first = written.get(requestIdOf(task, row.line));
    return first && row.leadId !== null ? { ...row, outcome: first.kind } : row;
  });
}

const failed = (line: number, errors: RowOutcome['errors']): RowOutcome => ({
  ...{ line, outcome: 'failed', leadId: null, errors, byDefaultCountry: false },
});

/** Rows of one lead one after the other, so that the last one of the file has the last word; all others at once. */
function inOrderOfFile(
  rows: MappedRow[],
  run: (row: MappedRow) => Promise<RowOutcome>,
): Promise<RowOutcome>[] {
  const lastOf = new Map<string, Promise<RowOutcome>>();
  return rows.map((row) => {
    const id = 'input' in row ? row.input.external_lead_id : null;
    const before = id === null ? undefined : lastOf.get(id);
    const result = before ? before.then(() => run(row)) : run(row);
    if (id !== null) lastOf.set(id, result);
    return result;
  });
}

/** How audit records name the row. */
const requestIdOf = ({ importId }: Task, line: number): string =>
  `${toPublicId('imp', importId)}:${line}`;
