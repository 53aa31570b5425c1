import { BatchAnswer, ErrorAnswer, LeadInput, LIMITS, WriteQuery } from '@leadwire/contract';
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
import type { Preview, PreviewSession } from '../preview.ts';
import { readValidateOnly } from '../validate-only.ts';
import { sourceOf, WRITE } from './caller.ts';

const BatchInput = Type.Object(
  { leads: Type.Array(LeadInput, { minItems: 1, maxItems: LIMITS.batchLeads }) },
  { additionalProperties: false },
);

type Deps = {
  ingest: Ingest;
  preview: Preview;
  admission: Admission;
  /** Told of the rows that failed, before the answer. */
  onRowsRefused: (request: FastifyRequest, rows: readonly RefusedRow[]) => void;
};

type RefusedRow = Extract<RowResult, { error: string }>;

export function batchRoute(app: FastifyInstance, deps: Deps): void {
  const { ingest, preview, admission, onRowsRefused } = deps;
  app.post('/api/v1/insertion/leads/batch', {
    config: { access: { ...WRITE, chargedByRoute: true } },
    bodyLimit: LIMITS.batchBodyBytes,
    schema: {
      operationId: 'insertLeads',
      summary: 'Create or upsert many leads',
      description:
        'Each row succeeds or fails by itself. One JSON object a line is read too, with Content-Type application/x-ndjson. Costs the rate limit one unit a lead. With validate_only=true nothing is written, and the results are what would follow.',
      tags: ['Insertion'],
      querystring: WriteQuery,
      body: BatchInput,
      response: { 200: BatchAnswer, default: ErrorAnswer },
    },
    async handler(request, reply) {
      const { rows, isValidateOnly } = await readCharged(request, reply, admission);
      const session = isValidateOnly ? preview() : null;
      const write = session?.ingest ?? ingest;
      const results = await ingestBatch(write, accountOf(request), rows, sourceOf(request));
      const counts = count(results);
      if (counts.failed > 0) onRowsRefused(request, results.filter(isRefused));
      if (!session) return { ok: true, results, counts };
      return { ok: true, validate_only: true, results: results.map(asKnown(session)), counts };
    },
  });
}

/** Reads the rows and takes a unit for each; what cannot be read costs one, like any refused request. */
async function readCharged(
  request: FastifyRequest,
  reply: FastifyReply,
  admission: Admission,
): Promise<{ rows: BatchRow[]; isValidateOnly: boolean }> {
  const { max } = callerOf(request).limit;
  let cost = 1;
  try {
    const isValidateOnly = readValidateOnly(request.query);
    const rows = readRows(request);
    if (max > 0 && rows.length > max) {
      const message = `leads has ${rows.length} entries; the rate limit of this key allows ${max} in one request`;
      throw invalid([{ path: 'leads', code: 'over_rate_limit', message }]);
    }
    cost = rows.length;
    return { rows, isValidateOnly };
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

/** A row whose lead would be new has no id to show. */
const asKnown =
  ({ knownId }: PreviewSession) =>
  (row: RowResult): RowResult =>
    'status' in row && row.lead_id !== null ? { ...row, lead_id: knownId(row.lead_id) } : row;

const isRefused = (result: RowResult): result is RefusedRow => 'error' in result;

function count(results: RowResult[]) {
  const counts = { inserted: 0, patched: 0, deduped: 0, failed: 0 };
  for (const result of results) counts['status' in result ? result.status : 'failed']++;
  return counts;
}
