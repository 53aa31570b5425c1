// Sends a lead to Leadwire with its SDK, which signs each try and retries where that is safe. Node 22.18 or newer.
//   LEADWIRE_PUBLIC_KEY=lwpk_… LEADWIRE_SECRET_KEY=lwsk_… node send-lead.mts [external_lead_id]
import { createClient, LeadwireError } from '@leadwire/sdk';

const leadwire = createClient({
  baseUrl: process.env.LEADWIRE_URL ?? 'http://127.0.0.1:3000',
  publicKey: process.env.LEADWIRE_PUBLIC_KEY ?? '',
  secretKey: process.env.LEADWIRE_SECRET_KEY ?? '',
});

try {
  const { status, lead } = await leadwire.leads.insert({
    campaign_id: 1,
    external_lead_id: process.argv[2] ?? 'quick-start-1',
    phone: '+14155550132',
    email: 'ada@example.com',
  });
  console.log(status, lead.id);
} catch (error) {
  if (!(error instanceof LeadwireError)) throw error;
  console.error(error.status ?? '', error.code, error.message);
  process.exitCode = 1;
}
