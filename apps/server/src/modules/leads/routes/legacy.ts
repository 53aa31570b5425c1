import { ErrorAnswer, LegacyListAnswer, LegacyListQuery } from '@leadwire/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../../platform/database/index.ts';
import type { FairQueue } from '../../../platform/grouping/index.ts';
import { createQueryReader } from '../../../platform/validation/query.ts';
import { accountOf } from '../../admission/index.ts';
import { legacyFilter, toLegacyLead } from '../legacy.ts';
import { countLeads, listLeads } from '../repository/list.ts';

export function legacyRoute(
  app: FastifyInstance,
  { database, heavyRead }: { database: Database; heavyRead: FairQueue },
): void {
  const readQuery = createQueryReader<LegacyListQuery & { limit: number; offset: number }>(
    LegacyListQuery,
  );
  app.get('/api/v1/leads', {
    config: { access: { feature: 'legacy_leads', scopes: ['leads:read'], hmac: false } },
    schema: {
      operationId: 'listLegacyLeads',
      summary: 'Legacy list of leads, newest first, with an exact total',
      tags: ['Legacy'],
      querystring: LegacyListQuery,
      response: { 200: LegacyListAnswer, default: ErrorAnswer },
    },
    async handler(request) {
      const query = readQuery(request.query);
      const { limit, offset } = query;
      const filter = legacyFilter(accountOf(request), query);
      const { leads, total } = await heavyRead(filter.accountId, async () => ({
        leads: await listLeads(database, filter, { limit, offset }),
        total: await countLeads(database, filter),
      }));
      return {
        data: leads.map(toLegacyLead),
        pagination: { total, limit, offset, has_more: offset + leads.length < total },
      };
    },
  });
}
