import {
  type AuditRecord,
  ErrorAnswer,
  HistoryAnswer,
  HistoryQuery,
  LeadAnswer,
  LeadPatch,
  LeadPath,
  LIMITS,
  PatchAnswer,
} from '@leadwire/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/errors/index.ts';
import type { FairQueue } from '../../../platform/grouping/index.ts';
import { JSON_TYPE, parseJsonBody, rawBody } from '../../../platform/http/index.ts';
import { createQueryReader } from '../../../platform/validation/query.ts';
import { accountOf } from '../../admission/index.ts';
import type { Edit } from '../edit.ts';
import type { FindLead } from '../find.ts';
import { etagOf } from '../lead.ts';
import { type AuditRow, listAuditRecords } from '../repository/history.ts';
import { changesOf } from '../timeline.ts';
import { readLeadPatch } from '../validate.ts';
import { refuseValidateOnly } from '../validate-only.ts';
import { READ, sourceOf, WRITE } from './caller.ts';

type Path = { Params: { id: string } };
const URL = '/api/v1/insertion/leads/:id';
const tags = ['Insertion'];

export function getRoute(app: FastifyInstance, { find }: { find: FindLead }): void {
  app.get<Path>(URL, {
    config: { access: READ },
    schema: {
      operationId: 'getLead',
      summary: 'Read one lead',
      tags,
      params: LeadPath,
      response: { 200: LeadAnswer, default: ErrorAnswer },
    },
    async handler(request, reply) {
      const stored = await find(accountOf(request), request.params.id);
      if (!stored) throw notFound();
      reply.header('etag', etagOf(stored.version));
      return { ok: true, lead: stored.lead };
    },
  });
}

export function patchRoute(app: FastifyInstance, { edit }: { edit: Edit }): void {
  app.patch<Path>(URL, {
    config: { access: WRITE },
    schema: {
      operationId: 'patchLead',
      summary: 'Change one lead',
      description: 'With If-Match, only if the lead is still the one that was read.',
      tags,
      params: LeadPath,
      body: LeadPatch,
      response: { 200: PatchAnswer, default: ErrorAnswer },
    },
    async handler(request, reply) {
      refuseValidateOnly(request.query);
      const change = readLeadPatch(
        parseJsonBody(rawBody(request), request.headers['content-encoding']),
      );
      const lead = {
        accountId: accountOf(request),
        reference: request.params.id,
        ifMatch: request.headers['if-match'],
      };
      const { changed, json, version } = await edit(lead, change, sourceOf(request));
      return reply
        .header('etag', etagOf(version))
        .type(JSON_TYPE)
        .send(`{"ok":true,"lead":${json},"changed":${JSON.stringify(changed)}}`);
    },
  });
}

export function historyRoute(
  app: FastifyInstance,
  { find, database, heavyRead }: { find: FindLead; database: Database; heavyRead: FairQueue },
): void {
  const readQuery = createQueryReader<{ limit: number; cursor?: number }>(HistoryQuery);
  app.get<Path>(`${URL}/history`, {
    config: { access: READ },
    schema: {
      operationId: 'getLeadHistory',
      summary: "A lead's audit records, newest first",
      tags,
      params: LeadPath,
      querystring: HistoryQuery,
      response: { 200: HistoryAnswer, default: ErrorAnswer },
    },
    async handler(request) {
      const { limit, cursor = LIMITS.maxInt32 } = readQuery(request.query);
      const accountId = accountOf(request);
      const stored = await find(accountId, request.params.id);
      if (!stored) throw notFound();
      const lead = { accountId, leadId: stored.lead.id };
      const rows = await heavyRead(accountId, () =>
        listAuditRecords(database, lead, { limit: limit + 1, beforeVersion: cursor }),
      );
      const page = rows.slice(0, limit);
      const nextCursor = rows.length > limit ? String(page.at(-1)?.version) : null;
      return { ok: true, history: page.map(toAuditRecord), nextCursor };
    },
  });
}

function toAuditRecord(row: AuditRow): Record<keyof typeof AuditRecord.properties, unknown> {
  return {
    version: row.version,
    kind: row.kind,
    occurred_at: row.occurredAt,
    actor: { type: row.actorType, id: row.actorId },
    request_id: row.requestId,
    address: row.address,
    changes: changesOf(row),
  };
}
