import { LIMITS } from '@leadwire/contract';
import { AppError, type FieldError, invalid } from '../../platform/errors/index.ts';
import { decodeBody, parseJsonBody, parseJsonText } from '../../platform/http/index.ts';
import type { Ingest } from './ingest.ts';
import type { Source, WriteResult } from './lead.ts';
import { readLeadInput } from './validate.ts';

/** One row of a batch: what was sent, or why it cannot be read. */
export type BatchRow = { body: unknown } | { unreadable: AppError };

export type RowResult =
  | { index: number; status: WriteResult['status']; lead_id: string }
  | { index: number; error: string; errors?: FieldError[]; lead_id: null };

/** Reads `{ "leads": […] }`. @throws AppError 400 for anything else. */
export function readJsonBatch(body: Buffer | undefined, contentEncoding?: string): BatchRow[] {
  const value = parseJsonBody(body, contentEncoding) as { leads?: unknown } | null;
  const leads = value?.leads;
  const others = Object.keys(value ?? {}).filter((key) => key !== 'leads');
  if (!Array.isArray(leads) || others.length > 0) {
    throw invalid([{ path: 'leads', code: 'type', message: 'the body must be {"leads": [...]}' }]);
  }
  return checkCount(leads.map((row) => ({ body: row })));
}

/** Reads one JSON object a line (NDJSON); a line that is no JSON fails by itself, empty lines are passed over. */
export function readNdjsonBatch(body: Buffer | undefined, contentEncoding?: string): BatchRow[] {
  const text = decodeBody(body, contentEncoding);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return checkCount(lines.map(readLine));
}

function readLine(line: string): BatchRow {
  try {
    return { body: parseJsonText(line) };
  } catch (error) {
    if (error instanceof AppError) return { unreadable: error };
    throw error;
  }
}

function checkCount(rows: BatchRow[]): BatchRow[] {
  if (rows.length >= 1 && rows.length <= LIMITS.batchLeads) return rows;
  const message = `leads must have 1 to ${LIMITS.batchLeads} entries, not ${rows.length}`;
  throw invalid([{ path: 'leads', code: 'count', message }]);
}

/**
 * Ingests the rows, each for itself; those of one tuple one after the other, so that they take effect in their order.
 * @throws AppError 503 where the store is out of reach: the whole batch is to be sent again, which is safe.
 */
export async function ingestBatch(
  ingest: Ingest,
  accountId: string,
  rows: BatchRow[],
  source: Source,
): Promise<RowResult[]> {
  const lastOfTuple = new Map<string, Promise<RowResult>>();
  const results = rows.map((row, index) => {
    const run = () => ingestRow(ingest, accountId, row, index, source);
    const tuple = tupleOf(row);
    const earlier = lastOfTuple.get(tuple);
    const result = earlier ? earlier.then(run) : run();
    lastOfTuple.set(tuple, result);
    return result;
  });
  return Promise.all(results);
}

function tupleOf(row: BatchRow): string {
  const body = 'body' in row ? (row.body as Record<string, unknown> | null) : null;
  return JSON.stringify([body?.campaign_id, body?.external_lead_id]);
}

async function ingestRow(
  ingest: Ingest,
  accountId: string,
  row: BatchRow,
  index: number,
  source: Source,
): Promise<RowResult> {
  try {
    if ('unreadable' in row) throw row.unreadable;
    const { status, lead } = await ingest(accountId, readLeadInput(row.body), source);
    return { index, status, lead_id: lead.id };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const { code, errors } = error;
    return { index, error: code, ...(errors ? { errors } : {}), lead_id: null };
  }
}
