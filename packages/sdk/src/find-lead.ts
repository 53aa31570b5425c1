import { isPageOf } from './answer-shape.ts';
import { NotFoundError } from './errors.ts';
import type { Budget } from './exchange.ts';
import { isSwallowed, segment } from './path.ts';
import type { Transport } from './transport.ts';
import type { LeadListAnswer } from './types.generated.ts';

export const LEADS = '/api/v1/insertion/leads';

/**
 * The path of a lead by its UUID or the partner's id. The ids . and .. stand for no path: their lead is looked up in the list.
 * @throws NotFoundError where the list has none
 */
export async function leadPath(transport: Transport, id: string, budget: Budget): Promise<string> {
  if (!isSwallowed(id)) return `${LEADS}/${segment(id)}`;
  const query = { external_lead_id: id, limit: 1 };
  const { body } = await transport.request<LeadListAnswer>(
    { method: 'GET', path: LEADS, query, isAnswer: isPageOf('leads') },
    budget,
  );
  const lead = body.leads[0];
  if (lead) return `${LEADS}/${lead.id}`;
  throw new NotFoundError('No lead has this external_lead_id.', { code: 'not_found' });
}
