import { type Database, timestampToIso } from '../../../platform/database/index.ts';
import { parseJson } from '../../../platform/json/index.ts';

export type AuditRow = {
  version: number;
  kind: string;
  occurredAt: string;
  actorType: string;
  actorId: string;
  requestId: string | null;
  address: string | null;
  changed: string[];
  before: Record<string, unknown> | null;
  lead: Record<string, unknown>;
};

/** The audit records of one lead, newest first, of versions below `beforeVersion`. */
export async function listAuditRecords(
  database: Database,
  lead: { accountId: string; leadId: string },
  page: { limit: number; beforeVersion: number },
): Promise<AuditRow[]> {
  const rows = await database.query<Record<string, string>>({
    text: `SELECT version, kind, occurred_at, actor_type, actor_id, request_id, address, changed, before, lead
           FROM lead_audit_records WHERE account_id = $1 AND lead_id = $2 AND version < $3
           ORDER BY version DESC LIMIT $4`,
    values: [lead.accountId, lead.leadId, page.beforeVersion, page.limit],
  });
  return rows.map((row) => ({
    version: Number(row.version),
    kind: row.kind as string,
    occurredAt: timestampToIso(row.occurred_at as string),
    actorType: row.actor_type as string,
    actorId: row.actor_id as string,
    requestId: row.request_id ?? null,
    address: row.address ?? null,
    changed: row.changed as unknown as string[],
    before: row.before ? (parseJson(row.before) as AuditRow['before']) : null,
    lead: parseJson(row.lead as string) as AuditRow['lead'],
  }));
}
