export {
  composeEvent,
  EVENT_COLUMNS,
  EVENT_FACTS,
  type EventRow,
  eventIdOf,
  parseEventId,
} from './body.ts';
export { campaignEventCtes, leadEventCtes } from './ctes.ts';
