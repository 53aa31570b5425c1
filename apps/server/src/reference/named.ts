import {
  AuditRecord,
  BatchAnswer,
  Campaign,
  ChangedFields,
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
  LeadPreview,
  LegacyLead,
  LegacyListAnswer,
  PatchAnswer,
  ReconcileAnswer,
  ReconcileInput,
  Replay,
  ReplayInput,
  ReplayListAnswer,
  RotatedWebhook,
  TestEventAnswer,
  TestEventInput,
  ValidationAnswer,
  Webhook,
  WebhookInput,
  WebhookListAnswer,
  WebhookPatch,
} from '@leadwire/contract';

const WHOLE: Record<string, object> = {
  ...{
    Lead,
    LeadInput,
    LeadPatch,
    LeadPreview,
    LegacyLead,
    AuditRecord,
    Campaign,
    Error: ErrorAnswer,
  },
  ...{ InsertAnswer, ValidationAnswer, BatchAnswer, LeadAnswer, PatchAnswer },
  ...{ ReconcileInput, ReconcileAnswer },
  ...{ LeadListAnswer, HistoryAnswer, LegacyListAnswer, EventFeedAnswer },
  ...{ Webhook, WebhookInput, WebhookPatch, CreatedWebhook, RotatedWebhook, DeletedWebhook },
  WebhookListAnswer,
  ...{ Delivery, DeliveryDetail, DeliveryAttempt, DeliveryListAnswer },
  ...{ Replay, ReplayInput, ReplayListAnswer, TestEventInput, TestEventAnswer },
  ...Object.fromEntries(Object.entries(EVENTS).map(([type, schema]) => [eventName(type), schema])),
};

const { results, counts } = BatchAnswer.properties;
const { actor, changes } = AuditRecord.properties;
const reconciled = ReconcileAnswer.properties;

/** What stands inside of others: generators of clients make a name of their own for whatever has none, Status5. */
const PARTS: Record<string, object> = {
  ...{ LeadStatus: Lead.properties.status, LeadField: ChangedFields.items },
  ...{ Address: Lead.properties.address, AddressInput: LeadInput.properties.address },
  ...{ LegacyAddress: LegacyLead.properties.address },
  ...{ LegacyPagination: LegacyListAnswer.properties.pagination },
  ...{ AuditKind: AuditRecord.properties.kind, ActorType: actor.properties.type },
  ...{ AuditActor: actor, AuditChange: changes.items },
  ...{
    WriteOutcome: InsertAnswer.properties.status,
    FieldError: ErrorAnswer.properties.errors.items,
  },
  ...{ BatchResult: results.items, BatchCounts: counts },
  ReconcileInputRow: ReconcileInput.properties.leads.items,
  ReconcileResult: reconciled.results.items,
  ReconcileOutcome: reconciled.results.items.properties.result,
  ContentField: ReconcileInput.properties.fields.items,
  ReconcileCounts: reconciled.counts,
  ...{ EventType: Delivery.properties.event_type, Event: EventFeedAnswer.properties.data.items },
  LeadEventData: EVENTS['lead.created'].properties.data,
  CampaignEventData: EVENTS['campaign.started'].properties.data,
  CampaignState: Campaign.properties.state,
  InactiveReason: Webhook.properties.inactive_reason,
  DeliveryState: Delivery.properties.state,
  DeliveryError: Delivery.properties.last_error,
  AttemptOutcome: DeliveryAttempt.properties.outcome,
  ...{ ReplayState: Replay.properties.state, ReplayProgress: Replay.properties.progress },
};

/** The schemas of the contract that the document shows once, by their names there. */
export const NAMED: Record<string, object> = { ...WHOLE, ...PARTS };

/** lead.created is shown as the schema LeadCreated. */
export function eventName(type: string): string {
  return type
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
