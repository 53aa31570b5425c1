import { ErrorAnswer, LeadListAnswer, LeadListQuery } from '@leadwire/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../../platform/database/index.ts';
import type { FairQueue } from '../../../platform/grouping/index.ts';
import { createQueryReader } from '../../../platform/validation/query.ts';
import { accountOf } from '../../admission/index.ts';
import { utc } from '../legacy.ts';
import { listLeads } from '../repository/list.ts';
import { READ } from './caller.ts';

export function listRoute(
  app: FastifyInstance,
  { database, heavyRead }: { database: Database; heavyRead: FairQueue },
): void {
  const readQuery = createQueryReader<LeadListQuery & { limit: number }>(LeadListQuery);
  app.get('/api/v1/insertion/leads', {
    config: { access: READ },
    schema: {
      operationId: 'listLeads',
      summary: 'List leads, newest first',
      tags: ['Insertion'],
      querystring: LeadListQuery,
      response: { 200: LeadListAnswer, default: ErrorAnswer },
    },
    async handler(request) {
      const query = readQuery(request.query);
      const filter = {
        accountId: accountOf(request),
        campaignId: query.campaign_id,
        externalLeadId: query.external_lead_id,
        createdBefore: utc(query.cursor),
      };
      // One more than asked for tells whether there is a next page.
      const leads = await heavyRead(filter.accountId, () =>
        listLeads(database, filter, { limit: query.limit + 1, offset: 0 }),
      );
      const hasMore = leads.length > query.limit;
      const page = leads.slice(0, query.limit);
      return { ok: true, leads: page, nextCursor: hasMore ? page.at(-1)?.created_at : null };
    },
  });
}
