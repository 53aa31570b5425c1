import { LIMITS } from '@leadwire/contract';
import { AppError, type FieldError, invalid } from '../../platform/errors/index.ts';
import { decodeBody, parseJsonBody, parseJsonText } from '../../platform/http/index.ts';
import type { Ingest } from './ingest.ts';
import type { Source, WriteResult } from './lead.ts';
import { readLeadInput } from './validate.ts';

/** One row of a batch: what was sent, or why it cannot be read. */
export type BatchRow = { body: unknown } | { unreadable: AppError };

export type RowResult =
  /** lead_id is null where nothing is written and the lead would be new. */
  | { index: number; status: WriteResult['status']; lead_id: string | null }
  | { index: number; error: string; errors?: FieldError[]; lead_id: null };

/** Reads `{ "leads": […] }`. @throws AppError 400 for anything else. */
export function readJsonBatch(body: Buffer | undefined, contentEncoding?: string): BatchRow[] {
  const value = parseJsonBody(body, contentEncoding);
  const leads = isObject(value) ? value.leads : undefined;
  if (!isObject(value) || !Array.isArray(leads) || Object.keys(value).length > 1) {
    throw invalid([{ path: 'leads', code: 'type', message: 'the body must be {"leads": [...]}' }]);
  }
  checkCount(leads.length);
  return leads.map((row) => ({ body: row }));
}

/** Reads one JSON object a line (NDJSON); a line that is no JSON fails by itself, empty lines are passed over. */
export function readNdjsonBatch(body: Buffer | undefined, contentEncoding?: string): BatchRow[] {
  const text = decodeBody(body, contentEncoding);
  const lines: string[] = [];
  // Counted before anything is parsed: five megabytes of bad lines would take half a minute.
  for (let start = 0; start < text.length && lines.length <= LIMITS.batchLeads; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end);
    if (line.trim() !== '') lines.push(line);
    start = end < 0 ? text.length : end + 1;
  }
  checkCount(lines.length);
  return lines.map(readLine);
}

function readLine(line: string): BatchRow {
  try {
    return { body: parseJsonText(line) };
  } catch (error) {
    if (error instanceof AppError) return { unreadable: error };
    throw error;
  }
}

function checkCount(count: number): void {
  if (count >= 1 && count <= LIMITS.batchLeads) return;
  const message = `leads must have 1 to ${LIMITS.batchLeads} entries`;
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
    const earlier = tuple === null ? undefined : lastOfTuple.get(tuple);
    const result = earlier ? earlier.then(run) : run();
    if (tuple !== null) lastOfTuple.set(tuple, result);
    return result;
  });
  return Promise.all(results);
}

/** What rows of one lead have in common; of what is no tuple, nothing. */
function tupleOf(row: BatchRow): string | null {
  const body = 'body' in row && isObject(row.body) ? row.body : {};
  const { campaign_id: campaign, external_lead_id: external } = body;
  return typeof external === 'string' && typeof campaign === 'number'
    ? `${campaign}/${external}`
    : null;
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
