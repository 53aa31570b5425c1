import type { EventType, Replay, ReplayState } from '@leadwire/contract';
import { formatMicros } from '../../../platform/clock/index.ts';
import { timestampToIso } from '../../../platform/database/index.ts';
import { fromPublicId, toPublicId } from '../../../platform/ids/index.ts';
import { webhookIdOf } from '../../webhooks/index.ts';
import { msOfUuid } from '../log/ids.ts';
import type { ReplayRow } from './repository/replays.ts';

/** @returns null where `text` is no id of a replay */
export const parseReplayId = (text: string): string | null => fromPublicId('rpl', text);

/** Done is what has nothing left to queue and nothing waiting. */
const stateOf = ({ state, waiting }: ReplayRow): ReplayState => {
  if (state === 'canceled') return 'canceled';
  return state === 'queued' && waiting === '0' ? 'done' : 'running';
};

export function toReplay(row: ReplayRow, webhookId: string): Replay {
  const from = timestampToIso(row.from_at);
  const to = timestampToIso(row.to_at);
  return {
    id: toPublicId('rpl', row.id),
    webhook_id: webhookIdOf(webhookId),
    from,
    to,
    events: row.event_types as EventType[],
    state: stateOf(row),
    progress: {
      position: row.state === 'queued' ? to : positionOf(row, from, to),
      queued: Number(row.queued),
      already_waiting: Number(row.already_waiting),
      delivered: Number(row.delivered),
      given_up: Number(row.given_up),
      waiting: Number(row.waiting),
    },
    created_at: timestampToIso(row.created_at),
    finished_at: row.finished_at && timestampToIso(row.finished_at),
  };
}

/** The time of the last event that was looked at, within the range: the walk begins before it and ends behind it. */
function positionOf({ position }: ReplayRow, from: string, to: string): string {
  const at = formatMicros(msOfUuid(position) * 1000);
  if (at < from) return from;
  return at > to ? to : at;
}
