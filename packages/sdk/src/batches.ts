import { LIMITS } from '@leadwire/contract/limits';
import { jsonOf } from './json.ts';

/** Limits of one batch: rows, and bytes of its body. */
export const BATCH_ROWS: number = LIMITS.batchLeads;
export const BATCH_BYTES: number = LIMITS.batchBodyBytes;

const OPEN = '{"leads":[';
const CLOSE = ']}';
const encoder = new TextEncoder();

/** Part of what is to be sent: rows `from`…`to` - 1, and the body that holds them. */
export type Batch = { from: number; to: number; body: string };

/**
 * The next batch: as many rows as fit into `maxRows` and BATCH_BYTES, at least one, so that the service can refuse a row that is too
 * long by itself.
 * @throws LeadwireError `invalid_body` that names a row which cannot be written as JSON
 */
export function nextBatch(
  leads: readonly unknown[],
  from: number,
  maxRows: number = BATCH_ROWS,
): Batch {
  const rows: string[] = [];
  let bytes = OPEN.length + CLOSE.length;
  for (let index = from; index < leads.length && rows.length < maxRows; index++) {
    const row = jsonOf(leads[index], `leads[${index}]`) ?? 'null';
    bytes += encoder.encode(row).length + 1;
    if (rows.length > 0 && bytes - 1 > BATCH_BYTES) break;
    rows.push(row);
  }
  return { from, to: from + rows.length, body: OPEN + rows.join(',') + CLOSE };
}
