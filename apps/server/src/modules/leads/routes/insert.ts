import {
  ErrorAnswer,
  InsertAnswer,
  LeadInput,
  type LeadPreview,
  ValidationAnswer,
  WriteQuery,
} from '@leadwire/contract';
import type { FastifyInstance } from 'fastify';
import { JSON_TYPE, parseJsonBody, rawBody } from '../../../platform/http/index.ts';
import { accountOf } from '../../admission/index.ts';
import type { Ingest } from '../ingest.ts';
import type { WriteResult } from '../lead.ts';
import type { Preview, PreviewSession } from '../preview.ts';
import { readLeadInput } from '../validate.ts';
import { readValidateOnly } from '../validate-only.ts';
import { sourceOf, WRITE } from './caller.ts';

type Deps = { ingest: Ingest; preview: Preview };

export function insertRoute(app: FastifyInstance, { ingest, preview }: Deps): void {
  app.post('/api/v1/insertion/leads', {
    config: { access: WRITE },
    schema: {
      operationId: 'insertLead',
      summary: 'Create or upsert a lead',
      description:
        'The same (account, campaign_id, external_lead_id) is no second lead: it is patched, or deduped when nothing changes. With validate_only=true nothing is written, and the answer is what would follow.',
      tags: ['Insertion'],
      querystring: WriteQuery,
      body: LeadInput,
      response: {
        200: { anyOf: [InsertAnswer, ValidationAnswer] },
        201: InsertAnswer,
        default: ErrorAnswer,
      },
    },
    async handler(request, reply) {
      const session = readValidateOnly(request.query) ? preview() : null;
      const input = readLeadInput(
        parseJsonBody(rawBody(request), request.headers['content-encoding']),
      );
      const write = session?.ingest ?? ingest;
      const result = await write(accountOf(request), input, sourceOf(request));
      if (session) return toValidationAnswer(result, session);
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

function toValidationAnswer(
  { status, changed, lead }: WriteResult,
  { knownId }: PreviewSession,
): ValidationAnswer {
  const { id, account_id, created_at, updated_at, ...rest } = lead;
  const shown: LeadPreview = rest;
  return { ok: true, validate_only: true, status, changed, lead_id: knownId(id), lead: shown };
}
