import { ErrorAnswer, LIMITS, ReconcileAnswer, ReconcileInput } from '@leadwire/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseJsonBody, rawBody } from '../../../platform/http/index.ts';
import { type Admission, accountOf, callerOf } from '../../admission/index.ts';
import type { Reconcile } from '../reconcile.ts';
import { readReconcileInput } from '../reconcile-input.ts';
import { READ } from './caller.ts';

// As a list, whose longest page is a hundred.
const ROWS_A_UNIT = 100;

type Deps = { reconcile: Reconcile; admission: Admission };

export function reconcileRoute(app: FastifyInstance, { reconcile, admission }: Deps): void {
  app.post('/api/v1/insertion/leads/reconcile', {
    config: { access: READ },
    bodyLimit: LIMITS.reconcileBodyBytes,
    schema: {
      operationId: 'reconcileLeads',
      summary: 'Compare your leads with those that are stored',
      description:
        'Says of each of up to 1000 leads whether it is stored with the same content, with another, or not at all. Costs the rate limit one unit for each hundred rows begun, at most the whole limit of the key.',
      tags: ['Insertion'],
      body: ReconcileInput,
      response: { 200: ReconcileAnswer, default: ErrorAnswer },
    },
    async handler(request, reply): Promise<ReconcileAnswer> {
      const input = readReconcileInput(
        parseJsonBody(rawBody(request), request.headers['content-encoding']),
      );
      await chargeRows(request, reply, { admission, rows: input.leads.length });
      const results = await reconcile(accountOf(request), input);
      const counts = { agrees: 0, differs: 0, missing: 0 };
      for (const { result } of results) counts[result]++;
      return { ok: true, results, counts };
    },
  });
}

/**
 * Takes what the rows cost beyond the unit of every request, which was taken before the body was read: many requests that are refused
 * cost, too. A key with a small limit can ask all the same: it needs a whole window.
 */
async function chargeRows(
  request: FastifyRequest,
  reply: FastifyReply,
  { admission, rows }: { admission: Admission; rows: number },
): Promise<void> {
  const { max } = callerOf(request).limit;
  const units = Math.ceil(rows / ROWS_A_UNIT);
  const rest = Math.min(units, max || units) - 1;
  if (rest > 0) await admission.charge(request, reply, rest);
}
