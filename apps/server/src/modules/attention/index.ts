import type { AttentionItem } from '@leadwire/contract/dashboard';
import { type Clock, formatMicros } from '../../platform/clock/index.ts';
import { type Database, timestampToIso } from '../../platform/database/index.ts';
import { toPublicId } from '../../platform/ids/index.ts';
import { webhookIdOf } from '../webhooks/index.ts';
import {
  countUnaccounted,
  type ExpiringKey,
  findExpiringKeys,
  findFormsWithoutKey,
  findWebhooksInTrouble,
  type WebhookInTrouble,
} from './repository.ts';

type Deps = { database: Database; clock: Pick<Clock, 'nowMs'> };

// One failure is retried within seconds and needs nobody.
const FAILURES = 2;
const EXPIRES_WITHIN_MS = 14 * 86_400_000;
const LIMIT = 50;

export type Attention = ReturnType<typeof createAttention>;

/** What somebody should look at in an account: the gravest first. */
export function createAttention({ database, clock }: Deps) {
  return {
    async list(accountId: string): Promise<AttentionItem[]> {
      const nowMs = clock.nowMs();
      const from = formatMicros(nowMs * 1_000);
      const to = formatMicros((nowMs + EXPIRES_WITHIN_MS) * 1_000);
      const [unaccounted, webhooks, forms, keys] = await Promise.all([
        countUnaccounted(database, accountId),
        findWebhooksInTrouble(database, { accountId, failures: FAILURES, limit: LIMIT }),
        findFormsWithoutKey(database, { accountId, at: from, limit: LIMIT }),
        findExpiringKeys(database, { accountId, from, to, limit: LIMIT }),
      ]);
      return [
        ...(unaccounted > 0 ? [{ kind: 'unaccounted_events', count: unaccounted } as const] : []),
        ...forms.map(ofForm),
        ...webhooks.map(ofWebhook),
        ...keys.map(ofKey),
      ];
    },
  };
}

function ofWebhook({ id, url, inactive_reason: reason, ...row }: WebhookInTrouble): AttentionItem {
  const shown = { webhook_id: webhookIdOf(id), url, since: timestampToIso(row.since) };
  return reason
    ? { kind: 'webhook_inactive', ...shown, reason }
    : { kind: 'webhook_failing', ...shown, failures: row.failures };
}

const ofForm = ({ id, name }: { id: string; name: string }): AttentionItem => ({
  kind: 'form_without_key',
  form_id: toPublicId('form', id),
  name,
});

const ofKey = ({ id, name, expires_at: at }: ExpiringKey): AttentionItem => ({
  kind: 'key_expires',
  key_id: id,
  name,
  expires_at: timestampToIso(at),
});
