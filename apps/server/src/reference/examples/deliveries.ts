import {
  type Delivery,
  type DeliveryDetail,
  type Replay,
  ReplayInput,
  TestEventInput,
} from '@leadwire/contract';
import { LEAD_EXAMPLES } from './leads.ts';

const exampleOf = <T>(schema: object): T => (schema as { examples: [T] }).examples[0];
const asked = exampleOf<ReplayInput>(ReplayInput);
const tested = exampleOf<TestEventInput>(TestEventInput);

const { stored } = LEAD_EXAMPLES;
const EVENT_ID = 'evt_019bc1a58f3c7a80b6e2d4f60718293a';
const WEBHOOK_ID = 'wh_019bc1b07d2e7f45a1c8e9b6d5041f3a';

const retrying: Delivery = {
  id: 'dlv_AZvBpY88eoC24tT2BxgpOgGbwbB9Ln9FocjpttUEHzo',
  webhook_id: WEBHOOK_ID,
  event_id: EVENT_ID,
  event_type: 'lead.created',
  state: 'retrying',
  attempt_count: 1,
  created_at: stored.created_at,
  last_attempt_at: '2026-01-15T10:30:00.131072Z',
  last_status: 503,
  last_error: 'status',
  next_attempt_at: '2026-01-15T10:30:05.402113Z',
  replay_id: null,
};
const again: Delivery = {
  ...retrying,
  state: 'waiting',
  next_attempt_at: '2026-01-15T10:30:02.000001Z',
};
const detail: DeliveryDetail = {
  ...retrying,
  event: {
    id: EVENT_ID,
    type: 'lead.created',
    timestamp: stored.created_at,
    account_id: stored.account_id,
    data: { lead: stored, changed: [] },
  },
  attempts: [
    {
      id: 'att_019bc1a58f4a7c1190d2e3f4a5b6c7d8',
      number: 1,
      started_at: '2026-01-15T10:30:00.131072Z',
      duration_ms: 84,
      outcome: 'failed',
      url: 'https://crm.example.com/leadwire',
      status: 503,
      error: 'status',
      detail: null,
      answer: 'Down for maintenance',
      next_attempt_at: '2026-01-15T10:30:05.402113Z',
    },
  ],
};

export const deliveryListAnswers = {
  200: {
    page: {
      summary: 'More exist',
      value: { data: [retrying], nextCursor: 'AZvBpY88eoC24tT2BxgpOg' },
    },
    last: { summary: 'The last page', value: { data: [], nextCursor: null } },
  },
};
export const getDeliveryAnswers = { 200: { delivery: { value: detail } } };
export const retryDeliveryAnswers = { 202: { due: { value: again } } };

const begun: Replay = {
  id: 'rpl_019bc1b2e4f07c1d8a96b5c4d3e2f1a0',
  webhook_id: WEBHOOK_ID,
  from: '2026-01-15T00:00:00.000000Z',
  to: '2026-01-16T00:00:00.000000Z',
  events: ['lead.created', 'lead.updated'],
  state: 'running',
  progress: {
    position: '2026-01-15T00:00:00.000000Z',
    ...{ queued: 0, already_waiting: 0, delivered: 0, given_up: 0, waiting: 0 },
  },
  created_at: '2026-01-16T08:00:00.000001Z',
  finished_at: null,
};
const halfWay: Replay = {
  ...begun,
  progress: {
    position: '2026-01-15T11:58:03.417000Z',
    ...{ queued: 1400, already_waiting: 2, delivered: 1310, given_up: 0, waiting: 90 },
  },
};
const canceled: Replay = {
  ...halfWay,
  state: 'canceled',
  progress: { ...halfWay.progress, waiting: 0 },
  finished_at: '2026-01-16T08:00:07.250000Z',
};

export const createReplayRequests = { day: { summary: 'One day', value: asked } };
export const createReplayAnswers = { 202: { day: { value: begun } } };
export const replayListAnswers = {
  200: { last: { summary: 'The last page', value: { data: [halfWay], nextCursor: null } } },
};
export const getReplayAnswers = { 200: { running: { value: halfWay } } };
export const cancelReplayAnswers = { 200: { canceled: { value: canceled } } };

export const testWebhookRequests = {
  received: { summary: 'A sample of one type', value: tested },
  refused: { summary: 'The first type of the webhook', value: {} },
};
export const testWebhookAnswers = {
  200: {
    received: {
      value: {
        event_id: 'evt_test_019bc1b3a0c27d4e8f10a2b3c4d5e6f7',
        ...{ succeeded: true, status: 204, error: null, detail: null, duration_ms: 41, answer: '' },
      },
    },
    refused: {
      summary: 'The endpoint does not know the path',
      value: {
        event_id: 'evt_test_019bc1b3a8817f6290c1d2e3f4a5b6c7',
        ...{
          succeeded: false,
          status: 404,
          error: 'status',
          detail: null,
          duration_ms: 38,
          answer: 'Not Found',
        },
      },
    },
  },
};
