import type { SecretBox } from '../../platform/crypto/index.ts';
import { type TimestampText, timestampToIso } from '../../platform/database/index.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** How a webhook's secrets are stored, as its row holds them. */
export type SealedSecrets = {
  /** UUID of the webhook. */
  webhookId: string;
  /** Null once the webhook is deleted. */
  secret_encrypted: string | null;
  previous_secret_encrypted: string | null;
  previous_secret_until: TimestampText | null;
};

/** A sealed secret opens for its own webhook alone. */
const contextOf = (webhookId: string): string => `webhook ${webhookId}`;

/** A new signing secret in the form of Standard Webhooks 1.0.0, as it is shown and as it is stored. */
export function makeSecret(
  { secrets, randomBytes }: { secrets: SecretBox; randomBytes: (size: number) => Buffer },
  webhookId: string,
): { secret: string; sealed: string } {
  const secret = PREFIX + randomBytes(SECRET_BYTES).toString('base64');
  return { secret, sealed: secrets.seal(secret, contextOf(webhookId)) };
}

/**
 * The `whsec_…` secrets that sign at `nowMs`, newest first: two for a day after a rotation, none of a deleted webhook.
 * @throws Error where the encryption key that sealed one is not configured
 */
export function openSecrets(box: SecretBox, row: SealedSecrets, nowMs: number): string[] {
  const { secret_encrypted: current, previous_secret_encrypted: previous } = row;
  const { previous_secret_until: until } = row;
  const open = (sealed: string) => box.open(sealed, contextOf(row.webhookId));
  const isBoth = previous !== null && until !== null && Date.parse(timestampToIso(until)) > nowMs;
  return [
    ...(current === null ? [] : [open(current)]),
    ...(isBoth ? openIfPossible(previous, open) : []),
  ];
}

/** An encryption key that is taken out within the day of a rotation costs the old secret, and not the webhook. */
function openIfPossible(sealed: string, open: (sealed: string) => string): string[] {
  try {
    return [open(sealed)];
  } catch {
    return [];
  }
}
