import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  CONTENT_FIELDS,
  type ContentField,
  contentOf,
  type ReconcileAnswer,
  type ReconcileInput,
  type ReconcileRow,
} from '@leadwire/contract';
import type { FairQueue } from '../../platform/grouping/index.ts';
import type { StoredLead } from './lead.ts';
import type { LeadTuple } from './repository/find.ts';

type Result = ReconcileAnswer['results'][number];

export type Reconcile = (accountId: string, input: ReconcileInput) => Promise<Result[]>;

type Deps = {
  /** Leads of one account, in the order of the tuples; null where it has none. */
  findByTuple: (tuples: LeadTuple[]) => Promise<(StoredLead | null)[]>;
  heavyRead: FairQueue;
};

// A lead has up to 64 KiB of custom fields: the larger they are, the fewer are read, and held, at a time.
const CHUNK = { smallest: 5, largest: 50, chars: 256 * 1024 };
/** What is hashed before others have their turn: about a millisecond. */
const CHARS_A_TURN = 32 * 1024;
/** Of a lead without anything. */
const LEAST_CHARS = 256;

/**
 * Compares what a partner knows with what is stored, row by row, in their order. A lead of another account, or of a campaign that
 * is not this one's, is missing as any other.
 */
export function createReconcile({ findByTuple, heavyRead }: Deps): Reconcile {
  return async (accountId, { leads: rows, fields = CONTENT_FIELDS }) => {
    const results: Result[] = [];
    for (let size = CHUNK.smallest; results.length < rows.length; ) {
      const chunk = rows.slice(results.length, results.length + size);
      // Each by itself, so that the lists of the account have their turn in between.
      const chars = await heavyRead(accountId, async () => {
        const found = await findByTuple(chunk.map((row) => tupleOf(accountId, row)));
        return compareAll(chunk, found, fields, results);
      });
      const fitting = Math.floor((CHUNK.chars * chunk.length) / chars);
      size = Math.min(Math.max(fitting, CHUNK.smallest), CHUNK.largest);
    }
    return results;
  };
}

/** Adds to the results. @returns about how many characters the leads have */
async function compareAll(
  rows: ReconcileRow[],
  found: (StoredLead | null)[],
  fields: readonly ContentField[],
  results: Result[],
): Promise<number> {
  let [chars, sinceTurn] = [0, 0];
  for (const [place, { content_hash }] of rows.entries()) {
    const stored = found[place] ?? null;
    const text = stored && contentOf(stored.lead, fields);
    results.push(resultOf(results.length, stored, text !== null && sha256(text) === content_hash));
    const more = LEAST_CHARS + (text?.length ?? 0);
    chars += more;
    sinceTurn += more;
    if (sinceTurn < CHARS_A_TURN) continue;
    sinceTurn = 0;
    await setImmediate();
  }
  return chars;
}

const tupleOf = (accountId: string, row: ReconcileRow): LeadTuple => ({
  ...{ accountId, campaignId: row.campaign_id, externalLeadId: row.external_lead_id },
});

const resultOf = (index: number, stored: StoredLead | null, agrees: boolean): Result =>
  stored
    ? { index, result: agrees ? 'agrees' : 'differs', lead_id: stored.lead.id }
    : { index, result: 'missing', lead_id: null };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
