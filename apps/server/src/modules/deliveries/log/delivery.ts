import type {
  AttemptOutcome,
  Delivery,
  DeliveryAttempt,
  DeliveryError,
  DeliveryState,
  EventType,
} from '@leadwire/contract';
import { timestampToIso } from '../../../platform/database/index.ts';
import { toPublicId } from '../../../platform/ids/index.ts';
import { eventIdOf } from '../../events/index.ts';
import { webhookIdOf } from '../../webhooks/index.ts';
import { attemptIdOf, deliveryIdOf } from './ids.ts';
import type { AttemptRow } from './repository/one.ts';
import type { DeliveryRow } from './repository/rows.ts';

const isoOrNull = (time: string | null): string | null => (time ? timestampToIso(time) : null);

/** What waits to be sent counts more than what was: a delivery that is repeated by request waits again. */
function stateOf({ due_at, tries, outcome }: DeliveryRow): DeliveryState {
  if (due_at !== null) return tries === 0 ? 'waiting' : 'retrying';
  // A failed attempt without a next one is of an endpoint whose webhook was deleted or whose replay was canceled meanwhile.
  return outcome === 'succeeded' ? 'delivered' : 'given_up';
}

export function toDelivery(row: DeliveryRow, webhookId: string): Delivery {
  const replayId = row.due_at === null ? row.replay_id : row.waiting_replay_id;
  return {
    id: deliveryIdOf(row.event_id, webhookId),
    webhook_id: webhookIdOf(webhookId),
    event_id: eventIdOf(row.event_id),
    event_type: row.type as EventType,
    state: stateOf(row),
    attempt_count: Number(row.attempt_count ?? 0),
    created_at: timestampToIso(row.occurred_at),
    last_attempt_at: isoOrNull(row.started_at),
    last_status: row.status,
    last_error: row.error as DeliveryError | null,
    next_attempt_at: isoOrNull(row.due_at),
    replay_id: replayId && toPublicId('rpl', replayId),
  };
}

export const toAttempt = (row: AttemptRow, number: number): DeliveryAttempt => ({
  id: attemptIdOf(row.id),
  number,
  started_at: timestampToIso(row.started_at),
  duration_ms: row.duration_ms,
  outcome: row.outcome as AttemptOutcome,
  url: row.url,
  status: row.status,
  error: row.error as DeliveryError | null,
  detail: row.detail,
  answer: row.answer?.toString('utf8') ?? null,
  next_attempt_at: isoOrNull(row.next_attempt_at),
});
