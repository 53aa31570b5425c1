import {
  type ContentField,
  type LeadInput,
  LIMITS,
  type ReconcileAnswer,
  type ReconcileResult,
} from '@leadwire/contract';
import type { TableRow } from '../../modules/intake/index.ts';

type Good = Extract<TableRow, { input: unknown }>;
type RowError = Extract<TableRow, { errors: unknown }>['errors'][number];

/** What became of one row of the file. */
export type Compared = {
  line: number;
  campaignId: number | null;
  externalLeadId: string | null;
  result: ReconcileResult | 'bad';
  leadId: string | null;
  /** Why a bad row cannot be read. */
  errors: RowError[];
};

/** Results in the order of the leads. */
export type Ask = (
  leads: readonly LeadInput[],
  fields: readonly ContentField[],
) => Promise<Pick<ReconcileAnswer, 'results'>>;

/** Compares the rows, a thousand at a time, in their order; bad ones are among them. */
export async function* compare(
  rows: AsyncIterable<TableRow>,
  fields: readonly ContentField[],
  ask: Ask,
): AsyncGenerator<Compared[]> {
  let batch: TableRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < LIMITS.batchLeads) continue;
    yield await compareBatch(batch, fields, ask);
    batch = [];
  }
  if (batch.length > 0) yield await compareBatch(batch, fields, ask);
}

async function compareBatch(
  rows: TableRow[],
  fields: readonly ContentField[],
  ask: Ask,
): Promise<Compared[]> {
  const good = rows.filter((row): row is Good => 'input' in row);
  const leads = good.map(({ input }) => input);
  const { results } = leads.length > 0 ? await ask(leads, fields) : { results: [] };
  const resultOf = new Map(good.map((row, index) => [row, results[index]]));
  return rows.map((row): Compared => {
    if ('errors' in row) return badRow(row.line, row.errors);
    const { result, lead_id: leadId } = resultOf.get(row) as (typeof results)[number];
    const { campaign_id: campaignId, external_lead_id: externalLeadId } = row.input;
    return { line: row.line, campaignId, externalLeadId, result, leadId, errors: [] };
  });
}

const badRow = (line: number, errors: RowError[]): Compared => ({
  ...{ line, campaignId: null, externalLeadId: null, result: 'bad', leadId: null, errors },
});
