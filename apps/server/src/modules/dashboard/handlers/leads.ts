import type { LeadAnswers } from '@leadwire/contract/dashboard';
import type { LeadDesk } from '../../leads/index.ts';
import type { DashboardHandlers, Person } from '../request.ts';

type Deps = { leadDesk: LeadDesk };

/** Leads, as people find, read, change and erase them. */
export function leadHandlers({ leadDesk }: Deps): DashboardHandlers<keyof LeadAnswers> {
  return {
    listLeads: ({ accountId, query }) => leadDesk.search(accountId, query),
    getLead: ({ accountId, params }) => leadDesk.get({ accountId, leadId: params.lead }),
    editLead: ({ accountId, params, body, ...request }) =>
      leadDesk.edit({ accountId, leadId: params.lead }, body, sourceOf(request)),
    listConsents: ({ accountId, params }) => leadDesk.consents({ accountId, leadId: params.lead }),
    getTimeline: async ({ accountId, params, query }) =>
      leadDesk.timeline({ accountId, leadId: params.lead }, query.cursor),
    eraseLead: async ({ accountId, params, body, ...request }) => ({
      lead: await leadDesk.erase(
        { accountId, leadId: params.lead },
        body.version,
        sourceOf(request),
      ),
    }),
  };
}

/** Who changes a lead by this request, for its audit record. */
const sourceOf = (request: { person: Person; requestId: string; address: string }) => ({
  actorType: 'user' as const,
  actorId: request.person.id,
  requestId: request.requestId,
  address: request.address,
});
