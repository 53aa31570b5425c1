// Receives webhooks from Leadwire with Express 5.
//   LEADWIRE_WEBHOOK_SECRET=whsec_… node server.ts
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@leadwire/sdk';
import express, { type NextFunction, type Request, type Response } from 'express';

const { LEADWIRE_WEBHOOK_SECRET = '', PORT = '4000' } = process.env;

// Where our answer was lost the event comes again, with the same id. A real receiver keeps the ids in its database, written
// in the transaction that handles the event: this set is forgotten with the process.
const seen = new Set<string>();

/** Called once an event. What takes long belongs into a queue: Leadwire waits 15 seconds for the answer. */
async function handle(event: WebhookEvent): Promise<void> {
  console.log('verified', event.type, event.id);
  if (event.type === 'lead.created') console.log('a new lead:', event.data.lead.external_lead_id);
}

const app = express();

// The signature covers the bytes as they came: raw() on this route, and before any app.use(express.json()).
app.post(
  '/leadwire',
  express.raw({ type: () => true, limit: '1mb' }),
  async (request, response) => {
    const event = await verifyWebhook(request.body, request.headers, LEADWIRE_WEBHOOK_SECRET);
    if (!seen.has(event.id)) {
      await handle(event); // where this fails the answer is 500, and the event comes again
      seen.add(event.id);
    }
    response.sendStatus(204);
  },
);

app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (!(error instanceof WebhookVerificationError)) return next(error);
  console.error('refused:', error.code);
  response.sendStatus(400);
});

app.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`listening at http://127.0.0.1:${PORT}/leadwire`);
});
