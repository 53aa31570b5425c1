/*
 * Compiled, never run: a consumer of the package, checked here against the sources and by runtimes.long.test.ts against what is
 * published, without the types of Node.
 */
import {
  type ClientOptions,
  createClient,
  type Lead,
  LeadwireError,
  RateLimitError,
  ValidationError,
  verifyWebhook,
  WebhookVerificationError,
} from '@leadwire/sdk';

const options: ClientOptions = {
  baseUrl: 'http://127.0.0.1:3000',
  publicKey: 'lwpk_1',
  secretKey: 'lwsk_1',
};
const leadwire = createClient(options);

export async function use(body: string, headers: Headers, secret: string): Promise<Lead[]> {
  const controller = new AbortController();
  const inserted = await leadwire.leads.insert(
    { campaign_id: 1, external_lead_id: 'a', email: 'a@example.com' },
    { signal: controller.signal },
  );
  const id: string = inserted.lead.id;
  const preview = await leadwire.leads.insert(
    { campaign_id: 1, external_lead_id: 'a' },
    { validateOnly: true },
  );
  const known: string | null = preview.lead_id;
  // @ts-expect-error: not a status
  await leadwire.leads.patch(id, { status: 'lost' });
  // @ts-expect-error: a misspelt field
  await leadwire.leads.insert({ campaign_id: 1, external_lead_id: 'a', frist_name: 'Ada' });
  await leadwire.leads.patchWith(known ?? id, ({ custom_fields }) => ({
    custom_fields: { n: Number(custom_fields.n) + 1 },
  }));
  const { results } = await leadwire.leads.insertMany([]).catch((error: unknown) => {
    if (error instanceof ValidationError) console.log(error.errors[0]?.path);
    if (error instanceof RateLimitError) console.log(error.retryAfterMs);
    if (error instanceof LeadwireError && error.completed) return error.completed;
    throw error;
  });
  console.log(results.map(({ index, error }) => `${index} ${error ?? 'ok'}`));
  try {
    const event = await verifyWebhook(body, headers, [secret]);
    switch (event.type) {
      case 'lead.created':
      case 'lead.updated':
      case 'lead.converted':
        console.log(event.data.lead.email, event.data.changed);
        break;
      default:
        console.log(event.data.campaign.name);
    }
  } catch (error) {
    if (error instanceof WebhookVerificationError && error.code === 'timestamp_too_old')
      throw error;
  }
  const leads: Lead[] = [];
  for await (const lead of leadwire.leads.each({ campaign_id: 1 })) leads.push(lead);
  for await (const { data, nextCursor } of leadwire.events.list())
    console.log(data.length, nextCursor);
  return leads;
}
