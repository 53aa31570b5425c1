import { ErrorAnswer, InsertAnswer, LeadInput } from '@leadwire/contract';
import type { FastifyInstance } from 'fastify';
import { JSON_TYPE, parseJsonBody, rawBody } from '../../../platform/http/index.ts';
import { accountOf } from '../../admission/index.ts';
import type { Ingest } from '../ingest.ts';
import { readLeadInput } from '../validate.ts';
import { sourceOf, WRITE } from './caller.ts';

export function insertRoute(app: FastifyInstance, { ingest }: { ingest: Ingest }): void {
  app.post('/api/v1/insertion/leads', {
    config: { access: WRITE },
    schema: {
      operationId: 'insertLead',
      summary: 'Create or upsert a lead',
      description:
        'The same (account, campaign_id, external_lead_id) is no second lead: it is patched, or deduped when nothing changes.',
      tags: ['Insertion'],
      body: LeadInput,
      response: { 200: InsertAnswer, 201: InsertAnswer, default: ErrorAnswer },
    },
    async handler(request, reply) {
      const input = readLeadInput(
        parseJsonBody(rawBody(request), request.headers['content-encoding']),
      );
      const result = await ingest(accountOf(request), input, sourceOf(request));
      if (result.status === 'inserted') {
        reply.code(201).header('location', `/api/v1/insertion/leads/${result.lead.id}`);
      }
      const { status, changed, json } = result;
      return reply
        .type(JSON_TYPE)
        .send(
          `{"ok":true,"status":"${status}","changed":${JSON.stringify(changed)},"lead":${json}}`,
        );
    },
  });
}
