// Sends a lead to Leadwire, signed, and tries again where that is safe. Node 20 or newer, no packages.
//   LEADWIRE_PUBLIC_KEY=lwpk_… LEADWIRE_SECRET_KEY=lwsk_… node send-lead.mjs [external_lead_id]
import { createHash, createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const {
  LEADWIRE_URL = 'http://127.0.0.1:3000',
  LEADWIRE_PUBLIC_KEY,
  LEADWIRE_SECRET_KEY,
} = process.env;

/** HMAC-SHA256 over five lines. Path and query are signed as they are sent, the body as its bytes. */
function sign(secretKey, timestamp, method, path, query, body) {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const text = [timestamp, method, path, query, bodyHash].join('\n');
  return createHmac('sha256', secretKey).update(text).digest('hex');
}

/** Each try is signed anew: a signature is good for five minutes. */
async function post(path, body) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const answer = await fetch(LEADWIRE_URL + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Leadwire-Public-Key': LEADWIRE_PUBLIC_KEY,
      'X-Leadwire-Timestamp': timestamp,
      'X-Leadwire-Signature': sign(LEADWIRE_SECRET_KEY, timestamp, 'POST', path, '', body),
    },
    body,
    redirect: 'manual', // followed, it would be a GET that sends no lead
    signal: AbortSignal.timeout(30_000),
  });
  return {
    status: answer.status,
    retryAfter: answer.headers.get('Retry-After'),
    text: await answer.text(),
  };
}

async function sendLead(lead) {
  const body = JSON.stringify(lead);
  for (let attempt = 1; ; ) {
    const answer = await post('/api/v1/insertion/leads', body).catch((error) => {
      if (error.name !== 'TimeoutError' && !error.cause) throw error; // not the network: a mistake of ours
      return { status: 0, text: String(error.cause?.code ?? error) };
    });
    if (answer.status === 429) {
      // Over the rate limit: the server says for how many seconds.
      await sleep(Math.max(1, Number(answer.retryAfter) || 1) * 1000);
    } else if ((answer.status === 0 || answer.status >= 500) && attempt < 5) {
      await sleep(1000 * 2 ** (attempt++ - 1)); // the network, or the server: 1, 2, 4, 8 seconds
    } else {
      return answer;
    }
  }
}

const { status, text } = await sendLead({
  campaign_id: 1,
  external_lead_id: process.argv[2] ?? 'quick-start-1',
  phone: '+14155550132',
  email: 'ada@example.com',
});
const ok = status >= 200 && status < 300;
(ok ? console.log : console.error)(status, text);
process.exitCode = ok ? 0 : 1;
