import { isResultsOf } from './answer-shape.ts';
import { BATCH_ROWS } from './batches.ts';
import { type ContentField, contentHash } from './content.ts';
import type { Budget } from './exchange.ts';
import { LEADS } from './find-lead.ts';
import type { Transport } from './transport.ts';
import type { LeadInput, ReconcileAnswer } from './types.generated.ts';

/** What the account has of leads that you know. */
export type Reconciliation = Pick<ReconcileAnswer, 'results' | 'counts'>;

const KINDS = ['agrees', 'differs', 'missing'] as const;

/** Hashes leads and asks for them batch by batch; `budgetOf` gives each its time. */
export async function reconcile(
  transport: Transport,
  budgetOf: () => Budget,
  leads: readonly LeadInput[],
  fields?: readonly ContentField[],
): Promise<Reconciliation> {
  const all: Reconciliation = { results: [], counts: { agrees: 0, differs: 0, missing: 0 } };
  for (let from = 0; from < leads.length; from += BATCH_ROWS) {
    const budget = budgetOf();
    const rows = await Promise.all(
      leads.slice(from, from + BATCH_ROWS).map(async (lead) => ({
        campaign_id: lead.campaign_id,
        external_lead_id: lead.external_lead_id,
        content_hash: await contentHash(lead, fields),
      })),
    );
    const body = fields ? { leads: rows, fields } : { leads: rows };
    const isAnswer = isResultsOf(rows.length, KINDS);
    const request = { method: 'POST', path: `${LEADS}/reconcile`, body, isAnswer } as const;
    const answer = (await transport.request<ReconcileAnswer>(request, budget)).body;
    for (const result of answer.results) {
      all.results.push({ ...result, index: from + result.index });
    }
    for (const kind of KINDS) all.counts[kind] += answer.counts[kind];
  }
  return all;
}
