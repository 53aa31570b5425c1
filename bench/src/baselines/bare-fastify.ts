/**
 * Baseline (a): the least that a Fastify service can do with a lead: parse it, validate it against
 * its JSON schema, send it back. No authentication, no store, no log.
 */
import Fastify from 'fastify';

const text = (maxLength: number) => ({ type: ['string', 'null'], maxLength });

const lead = {
  type: 'object',
  additionalProperties: false,
  required: ['campaign_id', 'external_lead_id'],
  properties: {
    campaign_id: { type: 'integer', minimum: 1, maximum: 2147483647 },
    external_lead_id: { type: 'string', minLength: 1, maxLength: 255 },
    phone: { type: ['string', 'null'], maxLength: 50, pattern: '^\\+[1-9][0-9]{6,14}$' },
    email: { type: ['string', 'null'], maxLength: 320, format: 'email' },
    first_name: text(100),
    last_name: text(100),
    source: text(255),
    source_form_url: { type: ['string', 'null'], maxLength: 2048, format: 'uri' },
    tcpa_consent: { type: ['boolean', 'null'] },
    tcpa_consent_text: text(10_000),
    tcpa_consent_timestamp: { type: ['string', 'null'], format: 'date-time' },
    custom_fields: { type: 'object' },
    status: { enum: ['new', 'contacted', 'qualified', 'converted'] },
    address: {
      type: ['object', 'null'],
      additionalProperties: false,
      properties: { street: text(255), city: text(255), state: text(255), zip: text(255) },
    },
  },
};

const app = Fastify({ logger: false });
app.get('/readyz', async () => ({ ok: true }));
app.post('/api/v1/insertion/leads', { schema: { body: lead } }, async (request) => request.body);
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });

process.once('SIGTERM', () => void app.close());
