// Receives webhooks from Leadwire with Next's app router, at /api/leadwire.
//   .env.local: LEADWIRE_WEBHOOK_SECRET=whsec_…
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@leadwire/sdk';

export const runtime = 'nodejs'; // 'edge' works, too
export const dynamic = 'force-dynamic';

// Where our answer was lost the event comes again, with the same id. A real receiver keeps the ids in its database, written
// in the transaction that handles the event: this set is forgotten with the process.
const seen = new Set<string>();

/** Called once an event. What takes long belongs into a queue: Leadwire waits 15 seconds for the answer. */
async function handle(event: WebhookEvent): Promise<void> {
  console.log('verified', event.type, event.id);
  if (event.type === 'lead.created') console.log('a new lead:', event.data.lead.external_lead_id);
}

export async function POST(request: Request): Promise<Response> {
  try {
    // The signature covers the bytes as they came: arrayBuffer(), not json().
    const body = await request.arrayBuffer();
    const event = await verifyWebhook(
      body,
      request.headers,
      process.env.LEADWIRE_WEBHOOK_SECRET ?? '',
    );
    if (!seen.has(event.id)) {
      await handle(event); // where this fails the answer is 500, and the event comes again
      seen.add(event.id);
    }
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.error('refused:', error.code);
    return new Response(null, { status: 400 });
  }
}
