// Receives webhooks from Leadwire and verifies them with its SDK. Node 22.18 or newer.
//   LEADWIRE_WEBHOOK_SECRET=whsec_… node verify-webhook.mts
import { createServer, type IncomingMessage } from 'node:http';
import { verifyWebhook } from '@leadwire/sdk';

const { LEADWIRE_WEBHOOK_SECRET = '', PORT = '4000' } = process.env;

/** The bytes as they came: a body that was parsed and written again has another signature. */
async function read(request: IncomingMessage, limit = 1_048_576): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > limit) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

createServer(async (request, response) => {
  try {
    const body = await read(request);
    const event = await verifyWebhook(body, request.headers, LEADWIRE_WEBHOOK_SECRET);
    response.writeHead(204).end(); // Answer first, work afterwards. A retry has the same webhook-id.
    console.log('verified', event.type, event.id);
  } catch (error) {
    console.error('refused:', error instanceof Error ? error.message : error);
    response.writeHead(400, { connection: 'close' }).end(); // the rest of a body that is too long is no request
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`listening at http://127.0.0.1:${PORT}`));
