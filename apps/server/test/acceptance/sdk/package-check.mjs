// Run by each runtime with what was published, installed in the folder that it runs in. It knows nothing of Node.
import { createClient, LeadwireError, verifyWebhook } from '@leadwire/sdk';

/** Inserts one lead, reads it back, fails once, and verifies one webhook. @returns what came of it */
export async function check({ baseUrl, publicKey, secretKey, externalId }) {
  const leadwire = createClient({ baseUrl, publicKey, secretKey });
  const lead = { campaign_id: 1, external_lead_id: externalId, phone: '+1 415 555 0132' };
  const { status } = await leadwire.leads.insert(lead);
  const read = await leadwire.leads.get(externalId);
  const { counts } = await leadwire.leads.reconcile([lead]);
  const failed = await leadwire.leads.get('missing').catch((error) => error);
  const event = await verifyWebhook(
    '{"test": 2432232314}',
    {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    { nowMs: 1_614_265_330_000 },
  );
  const code = failed instanceof LeadwireError ? failed.code : String(failed);
  return { status, phone: read.lead.phone, agrees: counts.agrees, code, test: event.test };
}
