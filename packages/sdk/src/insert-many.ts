import { isResultsOf } from './answer-shape.ts';
import { BATCH_ROWS, type Batch, nextBatch } from './batches.ts';
import { type Completed, LeadwireError, ValidationError } from './errors.ts';
import type { Budget } from './exchange.ts';
import { LEADS } from './find-lead.ts';
import type { Transport } from './transport.ts';
import type { BatchAnswer, LeadInput } from './types.generated.ts';

type Send = (body: string, rows: number) => Promise<BatchAnswer>;

const KINDS = ['inserted', 'patched', 'deduped', 'failed'] as const;

/**
 * Sends leads batch by batch. A key whose limit takes no batch of this size gets smaller ones.
 * @throws LeadwireError with `completed`, the results of the batches before
 */
export async function insertMany(send: Send, leads: readonly LeadInput[]): Promise<Completed> {
  const completed: Completed = {
    results: [],
    counts: { inserted: 0, patched: 0, deduped: 0, failed: 0 },
  };
  let maxRows = BATCH_ROWS;
  for (let from = 0; from < leads.length; ) {
    let batch: Batch | undefined;
    try {
      batch = nextBatch(leads, from, maxRows);
      add(completed, await send(batch.body, batch.to - from), from);
      from = batch.to;
    } catch (error) {
      const rows = batch ? batch.to - from : 0;
      if (rows > 1 && isOverLimit(error)) maxRows = Math.ceil(rows / 2);
      else throw withCompleted(error, completed);
    }
  }
  return completed;
}

/** How a batch is sent; `budgetOf` gives each its time. */
export const batchSender =
  (transport: Transport, budgetOf: () => Budget, validateOnly: boolean): Send =>
  async (body, rows) => {
    const query = validateOnly ? { validate_only: true } : {};
    const path = `${LEADS}/batch`;
    const isAnswer = isResultsOf(rows, KINDS);
    const request = { method: 'POST', path, query, body, isAnswer } as const;
    return (await transport.request<BatchAnswer>(request, budgetOf())).body;
  };

function add(all: Completed, { results, counts }: BatchAnswer, from: number): void {
  for (const result of results) all.results.push({ ...result, index: from + result.index });
  for (const kind of KINDS) all.counts[kind] += counts[kind];
}

const isOverLimit = (error: unknown): boolean =>
  error instanceof ValidationError && error.errors.some(({ code }) => code === 'over_rate_limit');

function withCompleted(error: unknown, completed: Completed): unknown {
  if (error instanceof LeadwireError) error.completed = completed;
  return error;
}
