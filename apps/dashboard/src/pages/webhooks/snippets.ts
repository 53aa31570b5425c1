/** Ready to paste into an endpoint: whether a request is ours, by Standard Webhooks 1.0.0. The secret comes from the environment. */
export const NODE_SNIPPET = `import { createHmac, timingSafeEqual } from 'node:crypto';

const secret = Buffer.from(process.env.LEADWIRE_WEBHOOK_SECRET.slice('whsec_'.length), 'base64');

// headers: with lower-case names; body: the bytes as they came, before any JSON parser.
export function isFromLeadwire(headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - timestamp) <= 300)) return false;
  const hmac = createHmac('sha256', secret).update(\`\${id}.\${timestamp}.\`).update(body);
  const expected = Buffer.from(\`v1,\${hmac.digest('base64')}\`);
  return (headers['webhook-signature'] ?? '').split(' ').some((text) => {
    const given = Buffer.from(text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;

export const PYTHON_SNIPPET = `import base64, hashlib, hmac, os, time

secret = base64.b64decode(os.environ["LEADWIRE_WEBHOOK_SECRET"].removeprefix("whsec_"))

# headers: with lower-case names; body: the bytes as they came, before any JSON parser.
def is_from_leadwire(headers, body):
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    digest = hmac.new(secret, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one.encode(), expected) for one in given)`;
