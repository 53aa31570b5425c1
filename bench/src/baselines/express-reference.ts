/**
 * Baseline (d): the same endpoint as a developer writes it in a day: Express, zod, pg. One upsert
 * statement in one transaction a request, with an event row and an audit row, and an API key check.
 *
 * It is the quick form of that, so that a ratio to it says something: the statement is the
 * transaction, in one round trip and prepared, and nothing is logged. Seen while choosing, at 64
 * connections on two cores shared with other work: 4–5k/s like this on new tables; 3–4k/s with random
 * UUIDs as keys of events and audit and about 300,000 rows there already; 2–2.5k/s with those and
 * unprepared. The first two differ in table size as well, so the keys' own share is not known.
 */
import { createHash } from 'node:crypto';
import express, { type NextFunction, type Request, type Response } from 'express';
import pg from 'pg';
import { z } from 'zod';

const text = (max: number) => z.string().max(max).nullish();

const leadSchema = z.strictObject({
  campaign_id: z.int().min(1).max(2147483647),
  external_lead_id: z.string().min(1).max(255),
  phone: z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/)
    .nullish(),
  email: z.email().max(320).nullish(),
  first_name: text(100),
  last_name: text(100),
  source: text(255),
  source_form_url: z.url().max(2048).nullish(),
  tcpa_consent: z.boolean().nullish(),
  tcpa_consent_text: text(10_000),
  tcpa_consent_timestamp: z.iso.datetime({ offset: true }).nullish(),
  custom_fields: z.record(z.string(), z.unknown()).default({}),
  status: z.enum(['new', 'contacted', 'qualified', 'converted']).default('new'),
  address: z
    .strictObject({ street: text(255), city: text(255), state: text(255), zip: text(255) })
    .nullish(),
});

const SCHEMA = `
  CREATE SCHEMA IF NOT EXISTS reference;
  CREATE TABLE IF NOT EXISTS reference.leads (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id uuid NOT NULL,
    campaign_id integer NOT NULL,
    external_lead_id text NOT NULL,
    phone text, email text, first_name text, last_name text, source text, source_form_url text,
    tcpa_consent boolean, tcpa_consent_text text, tcpa_consent_timestamp timestamptz,
    custom_fields jsonb NOT NULL, status text NOT NULL, address jsonb,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (account_id, campaign_id, external_lead_id)
  );
  CREATE INDEX IF NOT EXISTS leads_newest ON reference.leads (account_id, created_at);
  CREATE TABLE IF NOT EXISTS reference.events (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    account_id uuid NOT NULL, type text NOT NULL, data jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE IF NOT EXISTS reference.audit (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    account_id uuid NOT NULL, lead_id uuid NOT NULL, actor text NOT NULL, change jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );`;

const UPSERT = `
  WITH lead AS (
    INSERT INTO reference.leads (account_id, campaign_id, external_lead_id, phone, email,
      first_name, last_name, source, source_form_url, tcpa_consent, tcpa_consent_text,
      tcpa_consent_timestamp, custom_fields, status, address)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
    ON CONFLICT (account_id, campaign_id, external_lead_id) DO UPDATE SET
      phone = EXCLUDED.phone, email = EXCLUDED.email, first_name = EXCLUDED.first_name,
      last_name = EXCLUDED.last_name, source = EXCLUDED.source,
      source_form_url = EXCLUDED.source_form_url, tcpa_consent = EXCLUDED.tcpa_consent,
      tcpa_consent_text = EXCLUDED.tcpa_consent_text,
      tcpa_consent_timestamp = EXCLUDED.tcpa_consent_timestamp,
      custom_fields = EXCLUDED.custom_fields, status = EXCLUDED.status,
      address = EXCLUDED.address, updated_at = now()
    RETURNING *, (xmax = 0) AS inserted
  ), event AS (
    INSERT INTO reference.events (account_id, type, data)
    SELECT account_id, CASE WHEN inserted THEN 'lead.created' ELSE 'lead.updated' END, to_jsonb(lead)
    FROM lead
  ), audit AS (
    INSERT INTO reference.audit (account_id, lead_id, actor, change)
    SELECT account_id, id, $16, to_jsonb(lead) FROM lead
  )
  SELECT * FROM lead`;

const pool = new pg.Pool({
  connectionString: process.env.REFERENCE_DATABASE_URL,
  max: Number(process.env.REFERENCE_POOL ?? 20),
});
await pool.query(SCHEMA);

const hash = (secret: string) => createHash('sha256').update(secret).digest('hex');
const keys = new Map([
  [hash(process.env.REFERENCE_KEY ?? ''), { account: crypto.randomUUID(), name: 'bench' }],
]);

const app = express();
app.use(express.json({ limit: '256kb' }));
app.get('/readyz', (_request, response) => {
  response.json({ ok: true });
});

app.post('/api/v1/insertion/leads', async (request, response) => {
  const secret = request.get('authorization')?.replace(/^Bearer /, '') ?? '';
  const key = keys.get(hash(secret));
  if (!key) {
    response.status(401).json({ ok: false, error: 'invalid_bearer' });
    return;
  }
  const parsed = leadSchema.safeParse(request.body);
  if (!parsed.success) {
    response.status(400).json({ ok: false, error: z.prettifyError(parsed.error) });
    return;
  }
  const lead = parsed.data;
  const { rows } = await pool.query({
    name: 'upsert',
    text: UPSERT,
    values: [
      key.account,
      lead.campaign_id,
      lead.external_lead_id,
      lead.phone,
      lead.email,
      lead.first_name,
      lead.last_name,
      lead.source,
      lead.source_form_url,
      lead.tcpa_consent,
      lead.tcpa_consent_text,
      lead.tcpa_consent_timestamp,
      lead.custom_fields,
      lead.status,
      lead.address,
      key.name,
    ],
  });
  const { inserted, ...stored } = rows[0];
  response
    .status(inserted ? 201 : 200)
    .json({ ok: true, status: inserted ? 'inserted' : 'patched', lead: stored });
});

app.use((error: Error, _request: Request, response: Response, _next: NextFunction) => {
  console.error(error);
  response.status(500).json({ ok: false, error: 'internal_error' });
});

const server = app.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => {
  server.close(() => void pool.end());
  server.closeAllConnections();
});
