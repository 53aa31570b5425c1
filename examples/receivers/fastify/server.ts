// Receives webhooks from Leadwire with Fastify 5.
//   LEADWIRE_WEBHOOK_SECRET=whsec_… node server.ts
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@leadwire/sdk';
import Fastify from 'fastify';

const { LEADWIRE_WEBHOOK_SECRET = '', PORT = '4000' } = process.env;

// Where our answer was lost the event comes again, with the same id. A real receiver keeps the ids in its database, written
// in the transaction that handles the event: this set is forgotten with the process.
const seen = new Set<string>();

/** Called once an event. What takes long belongs into a queue: Leadwire waits 15 seconds for the answer. */
async function handle(event: WebhookEvent): Promise<void> {
  console.log('verified', event.type, event.id);
  if (event.type === 'lead.created') console.log('a new lead:', event.data.lead.external_lead_id);
}

const app = Fastify();

app.register(async (hooks) => {
  // The signature covers the bytes as they came, so that nothing may parse them before they are verified.
  hooks.removeAllContentTypeParsers();
  hooks.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => body,
  );
  hooks.post<{ Body: Buffer }>('/leadwire', async (request, reply) => {
    const event = await verifyWebhook(request.body, request.headers, LEADWIRE_WEBHOOK_SECRET);
    if (!seen.has(event.id)) {
      await handle(event); // where this fails the answer is 500, and the event comes again
      seen.add(event.id);
    }
    return reply.code(204).send();
  });
  hooks.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.error('refused:', error.code);
    return reply.code(400).send();
  });
});

await app.listen({ port: Number(PORT), host: '127.0.0.1' });
console.log(`listening at http://127.0.0.1:${PORT}/leadwire`);
