import {
  AuditRecord,
  BatchAnswer,
  Campaign,
  CreatedWebhook,
  DeletedWebhook,
  Delivery,
  DeliveryAttempt,
  DeliveryDetail,
  DeliveryListAnswer,
  ErrorAnswer,
  EVENTS,
  EventFeedAnswer,
  HistoryAnswer,
  InsertAnswer,
  Lead,
  LeadAnswer,
  LeadInput,
  LeadListAnswer,
  LeadPatch,
  LegacyLead,
  LegacyListAnswer,
  PatchAnswer,
  Replay,
  ReplayInput,
  ReplayListAnswer,
  RotatedWebhook,
  TestEventAnswer,
  TestEventInput,
  Webhook,
  WebhookInput,
  WebhookListAnswer,
  WebhookPatch,
} from '@leadwire/contract';
import { FORMAT_NOTES } from './formats.ts';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

const NAMED: Record<string, object> = {
  ...{ Lead, LeadInput, LeadPatch, LegacyLead, AuditRecord, Campaign, Error: ErrorAnswer },
  ...{ InsertAnswer, BatchAnswer, LeadAnswer, PatchAnswer },
  ...{ LeadListAnswer, HistoryAnswer, LegacyListAnswer, EventFeedAnswer },
  ...{ Webhook, WebhookInput, WebhookPatch, CreatedWebhook, RotatedWebhook, DeletedWebhook },
  WebhookListAnswer,
  ...{ Delivery, DeliveryDetail, DeliveryAttempt, DeliveryListAnswer },
  ...{ Replay, ReplayInput, ReplayListAnswer, TestEventInput, TestEventAnswer },
  ...Object.fromEntries(Object.entries(EVENTS).map(([type, schema]) => [eventName(type), schema])),
};
const nameOf = new Map(Object.entries(NAMED).map(([name, schema]) => [schema, name]));

/** lead.created is shown as the schema LeadCreated. */
export function eventName(type: string): string {
  return type
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** components.schemas: the shared schemas of the contract, each once. */
export const namedSchemas = (): JsonObject =>
  Object.fromEntries(Object.entries(NAMED).map(([name, schema]) => [name, write(schema, true)]));

/** A schema as the document shows it: shared ones as $ref, our own formats with a pattern beside them. */
export const schemaOf = (schema: object): Json => write(schema, false);

function write(value: unknown, isRoot: boolean): Json {
  if (Array.isArray(value)) return value.map((entry) => write(entry, false));
  if (typeof value !== 'object' || value === null) return value as Json;
  const name = isRoot ? undefined : nameOf.get(value);
  if (name) return { $ref: `#/components/schemas/${name}` };
  const members = Object.entries(value).map(([key, inner]) => [key, write(inner, false)]);
  return withFormatNote(Object.fromEntries(members));
}

function withFormatNote(schema: JsonObject): JsonObject {
  const { format, description } = schema;
  const known = typeof format === 'string' ? FORMAT_NOTES[format] : undefined;
  if (!known) return schema;
  const text = [description, known.note].filter(Boolean).join(' ');
  return {
    ...schema,
    ...(text && { description: text }),
    ...(known.pattern && { pattern: known.pattern }),
  };
}
