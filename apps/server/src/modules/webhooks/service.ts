import type { CreatedWebhook, DeletedWebhook, RotatedWebhook, Webhook } from '@leadwire/contract';
import { type Clock, formatMicros } from '../../platform/clock/index.ts';
import type { SecretBox } from '../../platform/crypto/index.ts';
import { type Database, timestampToIso } from '../../platform/database/index.ts';
import { notFound } from '../../platform/errors/index.ts';
import { badCursor, webhookLimitReached } from './errors.ts';
import { parseWebhookId, webhookIdOf } from './ids.ts';
import * as repository from './repository.ts';
import { makeSecret } from './secrets.ts';
import { readWebhookInput, readWebhookPatch } from './validate.ts';

const PREVIOUS_SIGNS_FOR_MICROS = 24 * 3_600 * 1_000_000;

export type WebhookDeps = {
  database: Database;
  clock: Clock;
  newId: () => string;
  secrets: SecretBox;
  randomBytes: (size: number) => Buffer;
  /** How many an account may have. */
  maxWebhooks: number;
  /** Whether plain http and private addresses are taken. */
  allowPrivate: boolean;
  /** Told after each committed change; `webhookId` is the UUID. */
  onChange: (webhook: { accountId: string; webhookId: string }) => void;
};

export type WebhookService = ReturnType<typeof createWebhookService>;

/**
 * The endpoints that an account has registered, by their public ids. What comes in is checked here, whoever calls.
 * Each throws AppError: 400 for bad input, 404 for a webhook that the account does not have.
 */
export function createWebhookService(deps: WebhookDeps) {
  const { database, clock, newId } = deps;
  const changed = (accountId: string, id: string) => deps.onChange({ accountId, webhookId: id });

  return {
    /** @returns the webhook with its secret, which is shown here and never again. */
    async create(accountId: string, input: unknown): Promise<CreatedWebhook> {
      const { url, events, description = null, active = true } = readWebhookInput(input, deps);
      const id = newId();
      const { secret, sealed } = makeSecret(deps, id);
      const at = formatMicros(clock.nowMicros());
      const row = await repository.insert(database, {
        ...{ accountId, id, url, events, description, active, at },
        secretEncrypted: sealed,
        limit: deps.maxWebhooks,
      });
      if (!row) throw webhookLimitReached(deps.maxWebhooks);
      changed(accountId, id);
      return { ...toWebhook(row), secret };
    },

    /** Newest first. `after` is the `nextCursor` of an earlier page. */
    async list(
      accountId: string,
      { limit, after }: { limit: number; after?: string | undefined },
    ): Promise<{ data: Webhook[]; nextCursor: string | null }> {
      const afterId = after === undefined ? null : parseWebhookId(after);
      if (after !== undefined && afterId === null) throw badCursor();
      // One more than asked for tells whether there is a next page.
      const rows = await repository.list(database, { accountId, limit: limit + 1, afterId });
      const data = rows.slice(0, limit).map(toWebhook);
      return { data, nextCursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
    },

    async get(accountId: string, id: string): Promise<Webhook> {
      return toWebhook(found(await repository.find(database, reference(accountId, id))));
    },

    /** Fields that `change` leaves out stay as they are in the store. */
    async update(accountId: string, id: string, change: unknown): Promise<Webhook> {
      const patch = readWebhookPatch(change, deps);
      const webhook = reference(accountId, id);
      const at = formatMicros(clock.nowMicros());
      const row = found(await repository.update(database, { ...webhook, at, change: patch }));
      const updated = toWebhook(row);
      if (updated.updated_at === at) changed(accountId, webhook.id);
      return updated;
    },

    /** For good: nothing further is sent to it, and its secrets are gone. */
    async remove(accountId: string, id: string): Promise<DeletedWebhook> {
      const webhook = reference(accountId, id);
      const at = formatMicros(clock.nowMicros());
      if (!(await repository.remove(database, { ...webhook, at }))) throw notFound();
      changed(accountId, webhook.id);
      return { id, deleted: true };
    },

    /** @returns the webhook with its new secret, shown here and never again; the one before signs too for a day. */
    async rotateSecret(accountId: string, id: string): Promise<RotatedWebhook> {
      const webhook = reference(accountId, id);
      const { secret, sealed } = makeSecret(deps, webhook.id);
      const now = clock.nowMicros();
      const previousUntil = formatMicros(now + PREVIOUS_SIGNS_FOR_MICROS);
      const change = { secretEncrypted: sealed, previousUntil, at: formatMicros(now) };
      const row = found(await repository.replaceSecret(database, { ...webhook, ...change }));
      changed(accountId, webhook.id);
      return { ...toWebhook(row), secret, previous_secret_until: previousUntil };
    },
  };
}

/** @throws AppError 404 for what is no id, as for one that is not there */
function reference(accountId: string, publicId: string): { accountId: string; id: string } {
  const id = parseWebhookId(publicId);
  if (id === null) throw notFound();
  return { accountId, id };
}

function found(row: repository.WebhookRow | null): repository.WebhookRow {
  if (!row) throw notFound();
  return row;
}

const toWebhook = (row: repository.WebhookRow): Webhook => ({
  id: webhookIdOf(row.id),
  url: row.url,
  events: row.events,
  description: row.description,
  active: row.active,
  inactive_reason: row.inactive_reason,
  failing_since: row.failing_since === null ? null : timestampToIso(row.failing_since),
  created_at: timestampToIso(row.created_at),
  updated_at: timestampToIso(row.updated_at),
});
