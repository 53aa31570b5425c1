import { createHmac } from 'node:crypto';

export type WebhookRequest = { headers: Record<string, string>; body: string };

const unixNow = () => Math.floor(Date.now() / 1000);

/** A webhook signed now, or at another time, as Standard Webhooks describes it. */
export function webhookRequest(
  secret: string,
  {
    id,
    timestamp = unixNow(),
    body = eventBody(id),
  }: { id: string; timestamp?: number | string; body?: string },
): WebhookRequest {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${digest}`,
    },
    body,
  };
}

/** An event with as much of a lead as the examples read. */
export const eventBody = (id: string, firstName = 'Ada'): string =>
  JSON.stringify({
    ...{ id, type: 'lead.created', timestamp: '2026-01-01T00:00:00.000000Z', account_id: 'a' },
    data: { lead: { external_lead_id: 'x', first_name: firstName }, changed: [] },
  });

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

export const signatureOf = (request: WebhookRequest) => request.headers['webhook-signature'] ?? '';
export const withHeader = (
  request: WebhookRequest,
  name: string,
  value: string,
): WebhookRequest => ({
  ...request,
  headers: { ...request.headers, [name]: value },
});

function without(request: WebhookRequest, name: string): WebhookRequest {
  const { [name]: _, ...headers } = request.headers;
  return { ...request, headers };
}

type Case = { name: string; make: (secret: string, id: string) => WebhookRequest };

/** What a receiver must take, one event each. */
export const TAKEN: Case[] = [
  { name: 'as it is sent', make: (secret, id) => webhookRequest(secret, { id }) },
  {
    name: 'beyond ASCII',
    make: (secret, id) => webhookRequest(secret, { id, body: eventBody(id, 'Zoë 東京 🌍') }),
  },
  {
    name: 'with spaces and line ends in its JSON',
    make: (secret, id) => {
      const body = `${JSON.stringify(JSON.parse(eventBody(id)), null, 2).replaceAll('\n', '\r\n')}\n`;
      return webhookRequest(secret, { id, body });
    },
  },
  ...[true, false].map((isFirst) => ({
    name: `signed with two secrets, ours the ${isFirst ? 'first' : 'second'}`,
    make: (secret: string, id: string) => {
      const ours = webhookRequest(secret, { id });
      const two = [signatureOf(ours), signatureOf(webhookRequest(OTHER_SECRET, { id }))];
      return withHeader(ours, 'webhook-signature', (isFirst ? two : two.reverse()).join(' '));
    },
  })),
  {
    name: 'sent four minutes ago',
    make: (secret, id) => webhookRequest(secret, { id, timestamp: unixNow() - 240 }),
  },
];

/** What a receiver must refuse. */
export const REFUSED: Case[] = [
  {
    name: 'with a body that was changed',
    make: (secret, id) => {
      const request = webhookRequest(secret, { id });
      return { ...request, body: request.body.replace('Ada', 'Eve') };
    },
  },
  {
    name: 'with a line end added to its body',
    make: (secret, id) => {
      const request = webhookRequest(secret, { id });
      return { ...request, body: `${request.body}\n` };
    },
  },
  { name: 'signed with another secret', make: (_, id) => webhookRequest(OTHER_SECRET, { id }) },
  {
    name: 'with the id of another event',
    make: (secret, id) => withHeader(webhookRequest(secret, { id }), 'webhook-id', `${id}2`),
  },
  {
    name: 'with another time',
    make: (secret, id) =>
      withHeader(webhookRequest(secret, { id }), 'webhook-timestamp', String(unixNow() + 60)),
  },
  ...[-400, 400].map((seconds) => ({
    name: `sent ${seconds} seconds from now`,
    make: (secret: string, id: string) =>
      webhookRequest(secret, { id, timestamp: unixNow() + seconds }),
  })),
  {
    name: 'with a time that is no number',
    make: (secret, id) => webhookRequest(secret, { id, timestamp: 'now' }),
  },
  {
    name: 'with the right digest under another version',
    make: (secret, id) => {
      const request = webhookRequest(secret, { id });
      const signature = signatureOf(request).replace('v1,', 'v1a,');
      return withHeader(request, 'webhook-signature', signature);
    },
  },
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
    name: `without ${name}`,
    make: (secret: string, id: string) => without(webhookRequest(secret, { id }), name),
  })),
];
