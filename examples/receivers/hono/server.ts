// Receives webhooks from Leadwire with Hono 4, here on Node; the same app runs on Bun, Deno and at the edge.
//   LEADWIRE_WEBHOOK_SECRET=whsec_… node server.ts
import { serve } from '@hono/node-server';
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@leadwire/sdk';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';

const { LEADWIRE_WEBHOOK_SECRET = '', PORT = '4000' } = process.env;

// Where our answer was lost the event comes again, with the same id. A real receiver keeps the ids in its database, written
// in the transaction that handles the event: this set is forgotten with the process.
const seen = new Set<string>();

/** Called once an event. What takes long belongs into a queue: Leadwire waits 15 seconds for the answer. */
async function handle(event: WebhookEvent): Promise<void> {
  console.log('verified', event.type, event.id);
  if (event.type === 'lead.created') console.log('a new lead:', event.data.lead.external_lead_id);
}

const app = new Hono();

app.post('/leadwire', bodyLimit({ maxSize: 1_048_576 }), async (c) => {
  // The signature covers the bytes as they came: arrayBuffer(), not json().
  const body = await c.req.arrayBuffer();
  const event = await verifyWebhook(body, c.req.raw.headers, LEADWIRE_WEBHOOK_SECRET);
  if (!seen.has(event.id)) {
    await handle(event); // where this fails the answer is 500, and the event comes again
    seen.add(event.id);
  }
  return c.body(null, 204);
});

app.onError((error, c) => {
  if (error instanceof HTTPException) return error.getResponse(); // 413 of bodyLimit
  if (!(error instanceof WebhookVerificationError)) throw error;
  console.error('refused:', error.code);
  return c.body(null, 400);
});

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, () => {
  console.log(`listening at http://127.0.0.1:${PORT}/leadwire`);
});
