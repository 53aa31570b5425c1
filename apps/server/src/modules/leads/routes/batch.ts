import { BatchAnswer, ErrorAnswer, LeadInput, LIMITS } from '@leadwire/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { invalid } from '../../../platform/errors/index.ts';
import { rawBody } from '../../../platform/http/index.ts';
import { type Admission, accountOf, callerOf } from '../../admission/index.ts';
import {
  type BatchRow,
  ingestBatch,
  type RowResult,
  readJsonBatch,
  readNdjsonBatch,
} from '../batch.ts';
import type { Ingest } from '../ingest.ts';
import { sourceOf, WRITE } from './caller.ts';

const BatchInput = Type.Object({
  leads: Type.Array(LeadInput, { minItems: 1, maxItems: LIMITS.batchLeads }),
});

type Deps = {
  ingest: Ingest;
  admission: Admission;
  /** Told of the rows that failed, before the answer. */
  onRowsRefused: (request: FastifyRequest, rows: readonly RefusedRow[]) => void;
};

type RefusedRow = Extract<RowResult, { error: string }>;

export function batchRoute(app: FastifyInstance, { ingest, admission, onRowsRefused }: Deps): void {
  app.post('/api/v1/insertion/leads/batch', {
    config: { access: { ...WRITE, chargedByRoute: true } },
    bodyLimit: LIMITS.batchBodyBytes,
    schema: {
      operationId: 'insertLeads',
      summary: 'Create or upsert many leads',
      description:
        'Each row succeeds or fails by itself. One JSON object a line is read too, with Content-Type application/x-ndjson. Costs the rate limit one unit a lead.',
      tags: ['Insertion'],
      body: BatchInput,
      response: { 200: BatchAnswer, default: ErrorAnswer },
    },
    async handler(request, reply) {
      const rows = await readCharged(request, reply, admission);
      const results = await ingestBatch(ingest, accountOf(request), rows, sourceOf(request));
      const counts = count(results);
      if (counts.failed > 0) onRowsRefused(request, results.filter(isRefused));
      return { ok: true, results, counts };
    },
  });
}

/** Reads the rows and takes a unit for each; what cannot be read costs one, like any refused request. */
async function readCharged(
  request: FastifyRequest,
  reply: FastifyReply,
  admission: Admission,
): Promise<BatchRow[]> {
  const { max } = callerOf(request).limit;
  let cost = 1;
  try {
    const rows = readRows(request);
    if (max > 0 && rows.length > max) {
      const message = `leads has ${rows.length} entries; the rate limit of this key allows ${max} in one request`;
      throw invalid([{ path: 'leads', code: 'over_rate_limit', message }]);
    }
    cost = rows.length;
    return rows;
  } finally {
    await admission.charge(request, reply, cost);
  }
}

function readRows(request: FastifyRequest): BatchRow[] {
  const type = request.headers['content-type'] ?? '';
  return /^application\/x-ndjson\b/i.test(type)
    ? readNdjsonBatch(rawBody(request), request.headers['content-encoding'])
    : readJsonBatch(rawBody(request), request.headers['content-encoding']);
}

const isRefused = (result: RowResult): result is RefusedRow => 'error' in result;

function count(results: RowResult[]) {
  const counts = { inserted: 0, patched: 0, deduped: 0, failed: 0 };
  for (const result of results) counts['status' in result ? result.status : 'failed']++;
  return counts;
}
