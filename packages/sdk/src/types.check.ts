/*
 * Compiled, never run: what the SDK shows is what the schemas say. A schema that changes breaks this file until the types are
 * written again (`npm run docs`), and then whatever of the SDK no longer fits.
 */
import type * as contract from '@leadwire/contract';
import type { ContentField, WebhookEvent } from './index.ts';
import type * as sdk from './types.generated.ts';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
/** Where the contract's type is wider than its schema: one `type` for all five events, any text for the name of a field. */
type Fits<A, B> = [A] extends [B] ? true : never;

export const checks: true[] = [
  true satisfies Same<sdk.LeadInput, contract.LeadInput>,
  true satisfies Same<sdk.LeadPatch, contract.LeadPatch>,
  true satisfies Same<sdk.Lead, contract.Lead>,
  true satisfies Same<sdk.LeadPreview, contract.LeadPreview>,
  true satisfies Fits<sdk.InsertAnswer, contract.InsertAnswer>,
  true satisfies Same<keyof sdk.InsertAnswer, keyof contract.InsertAnswer>,
  true satisfies Fits<sdk.ValidationAnswer, contract.ValidationAnswer>,
  true satisfies Same<keyof sdk.ValidationAnswer, keyof contract.ValidationAnswer>,
  true satisfies Fits<sdk.PatchAnswer, contract.PatchAnswer>,
  true satisfies Same<sdk.BatchAnswer, contract.BatchAnswer>,
  true satisfies Same<sdk.LeadListQuery, contract.LeadListQuery>,
  true satisfies Same<sdk.LeadListAnswer, contract.LeadListAnswer>,
  true satisfies Same<sdk.LeadAnswer, contract.LeadAnswer>,
  true satisfies Same<sdk.AuditRecord, contract.AuditRecord>,
  true satisfies Same<sdk.HistoryQuery, contract.HistoryQuery>,
  true satisfies Same<sdk.HistoryAnswer, contract.HistoryAnswer>,
  true satisfies Same<sdk.ReconcileInput, contract.ReconcileInput>,
  true satisfies Same<sdk.ReconcileAnswer, contract.ReconcileAnswer>,
  true satisfies Same<sdk.ErrorAnswer, contract.ErrorAnswer>,
  true satisfies Same<sdk.WebhookInput, contract.WebhookInput>,
  true satisfies Same<sdk.WebhookPatch, contract.WebhookPatch>,
  true satisfies Same<sdk.Webhook, contract.Webhook>,
  true satisfies Same<sdk.CreatedWebhook, contract.CreatedWebhook>,
  true satisfies Same<sdk.RotatedWebhook, contract.RotatedWebhook>,
  true satisfies Same<sdk.DeletedWebhook, contract.DeletedWebhook>,
  true satisfies Same<sdk.WebhookListQuery, contract.WebhookListQuery>,
  true satisfies Same<sdk.WebhookListAnswer, contract.WebhookListAnswer>,
  true satisfies Same<sdk.Delivery, contract.Delivery>,
  true satisfies Same<sdk.DeliveryAttempt, contract.DeliveryAttempt>,
  true satisfies Fits<sdk.DeliveryDetail, contract.DeliveryDetail>,
  true satisfies Same<sdk.DeliveryListQuery, contract.DeliveryListQuery>,
  true satisfies Same<sdk.ReplayInput, contract.ReplayInput>,
  true satisfies Same<sdk.Replay, contract.Replay>,
  true satisfies Same<sdk.ReplayListQuery, contract.ReplayListQuery>,
  true satisfies Same<sdk.TestEventInput, contract.TestEventInput>,
  true satisfies Same<sdk.TestEventAnswer, contract.TestEventAnswer>,
  true satisfies Same<sdk.Campaign, contract.Campaign>,
  true satisfies Same<sdk.EventFeedQuery, contract.EventFeedQuery>,
  true satisfies Fits<WebhookEvent, contract.Event>,
  true satisfies Same<WebhookEvent['type'], contract.EventType>,
  true satisfies Same<ContentField, contract.ContentField>,
];
