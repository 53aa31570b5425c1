// Receives webhooks from Leadwire and verifies them. Node 20 or newer, no packages.
//   LEADWIRE_WEBHOOK_SECRET=whsec_… node verify-webhook.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { LEADWIRE_WEBHOOK_SECRET, PORT = '4000' } = process.env;

/** Throws unless the body is what Leadwire signed, within five minutes. `body` is a Buffer of the bytes as they came. */
function verify(secret, headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (!id || !timestamp || !signatures) throw new Error('a webhook header is missing');
  if (!/^\d+$/.test(timestamp)) throw new Error('the timestamp is no number');
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300)
    throw new Error('the timestamp is too far from now');

  const key = Buffer.from((secret ?? '').replace(/^whsec_/, ''), 'base64');
  if (key.length === 0) throw new Error('the secret is missing'); // or anybody could sign
  const expected = createHmac('sha256', key)
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64');
  // While a secret is being replaced there are two signatures, separated by a space.
  const matches = (signature) =>
    signature.length === expected.length + 3 &&
    timingSafeEqual(Buffer.from(signature, 'latin1'), Buffer.from(`v1,${expected}`, 'latin1'));
  if (!signatures.split(' ').some(matches)) throw new Error('no signature matches');
}

/** The bytes as they came: a body that was parsed and written again has another signature. */
async function read(request, limit = 1_048_576) {
  const chunks = [];
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
    verify(LEADWIRE_WEBHOOK_SECRET, request.headers, body);
    const event = JSON.parse(body);
    response.writeHead(204).end(); // Answer first, work afterwards. A retry has the same webhook-id.
    console.log('verified', event.type, event.id);
  } catch (error) {
    console.error('refused:', error.message);
    response.writeHead(400, { connection: 'close' }).end(); // the rest of a body that is too long is no request
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`listening at http://127.0.0.1:${PORT}`));
