import { isUuid, toPublicId } from '../../../platform/ids/index.ts';

const UUID_BYTES = 16;

export const attemptIdOf = (uuid: string): string => toPublicId('att', uuid);

/** `dlv_` and base64url of the event's and the webhook's bytes: an event waits once for a webhook, so that both name it. */
export const deliveryIdOf = (eventId: string, webhookId: string): string =>
  `dlv_${Buffer.concat([bytesOf(eventId), bytesOf(webhookId)]).toString('base64url')}`;

/** @returns null where `text` is none, or not in the one spelling that deliveryIdOf makes */
export function parseDeliveryId(text: string): { eventId: string; webhookId: string } | null {
  if (!text.startsWith('dlv_')) return null;
  const bytes = Buffer.from(text.slice(4), 'base64url');
  if (bytes.length !== UUID_BYTES * 2) return null;
  const eventId = uuidOf(bytes.subarray(0, UUID_BYTES));
  const webhookId = uuidOf(bytes.subarray(UUID_BYTES));
  return deliveryIdOf(eventId, webhookId) === text ? { eventId, webhookId } : null;
}

/** Opaque to clients: where a page ended. */
export const cursorOf = (uuid: string): string => bytesOf(uuid).toString('base64url');

/** @returns null where `text` is no cursor */
export function parseCursor(text: string): string | null {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== UUID_BYTES) return null;
  const uuid = uuidOf(bytes);
  return cursorOf(uuid) === text && isUuid(uuid) ? uuid : null;
}

/** How far the time in an event's id may be from when it happened; one process makes both. */
export const ID_SLACK_MS = 10 * 60_000;

export const FIRST_UUID = '00000000-0000-0000-0000-000000000000';
export const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Milliseconds since the Unix epoch that a UUIDv7 begins with. */
export const msOfUuid = (uuid: string): number =>
  Number.parseInt(uuid.replace('-', '').slice(0, 12), 16);

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
