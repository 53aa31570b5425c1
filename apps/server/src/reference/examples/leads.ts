import { type Lead, LeadInput, LeadPatch, type ValidationAnswer } from '@leadwire/contract';

const exampleOf = <T>(schema: object): T => (schema as { examples: [T] }).examples[0];
const posted = exampleOf<LeadInput>(LeadInput);
const patch = exampleOf<LeadPatch>(LeadPatch);
const again: LeadInput = {
  campaign_id: 1,
  external_lead_id: 'partner-0001',
  email: 'ada.lovelace@example.com',
};
const AT = '2026-01-15T10:30:00.123456Z';
const LATER = '2026-01-15T10:31:07.654321Z';

const stored: Lead = {
  id: '019bc1a5-8f3b-7d10-8a44-c6b1d2e3f405',
  account_id: '019bc19f-02c4-7e52-b0de-94a3c1f5e768',
  campaign_id: 1,
  external_lead_id: 'partner-0001',
  phone: '+14155550132',
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  source: 'landing-page',
  source_form_url: 'https://example.com/solar',
  tcpa_consent: true,
  tcpa_consent_text: 'I agree to be contacted.',
  tcpa_consent_timestamp: '2026-01-15T10:30:00.000000Z',
  custom_fields: { roof: 'flat', kwh: 4200 },
  status: 'new',
  address: { street: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701' },
  created_at: AT,
  updated_at: AT,
};
const upserted: Lead = { ...stored, email: 'ada.lovelace@example.com', updated_at: LATER };
const patched: Lead = {
  ...upserted,
  status: 'contacted',
  custom_fields: { kwh: 4200, caller: 'Grace' },
  updated_at: '2026-01-15T11:02:45.000017Z',
};
const second: LeadInput = {
  campaign_id: 1,
  external_lead_id: 'partner-0002',
  phone: '+442079460018',
};
const unreachable = { campaign_id: 1, external_lead_id: 'partner-0003', first_name: 'Nobody' };
const batchAnswer = {
  ok: true,
  results: [
    { index: 0, status: 'inserted', lead_id: '019bc1a8-10aa-7b31-9c02-7d5e4f3a2b10' },
    {
      index: 1,
      error: 'phone or email is required',
      errors: [{ path: 'phone', code: 'required', message: 'phone or email is required' }],
      lead_id: null,
    },
  ],
  counts: { inserted: 1, patched: 0, deduped: 0, failed: 1 },
};
const batchPreview = {
  ...batchAnswer,
  validate_only: true,
  results: batchAnswer.results.map((row) => ({ ...row, lead_id: null })),
};
const ndjson = [{ ...second, external_lead_id: 'partner-0004' }, unreachable]
  .map((row) => `${JSON.stringify(row)}\n`)
  .join('');

/** What an operation is sent and what it answers. A request is answered by the example of the same name. */
export const LEAD_EXAMPLES = { stored, upserted, patched };

export const insertRequests = {
  inserted: { summary: 'A new lead', value: posted },
  deduped: { summary: 'The same again: nothing is written', value: posted },
  patched: { summary: 'Known, with a changed field: the others stay', value: again },
};
const {
  id: _id,
  account_id: _account,
  created_at: _created,
  updated_at: _updated,
  ...content
} = stored;
const insertPreview: ValidationAnswer = {
  ...{ ok: true, validate_only: true, status: 'inserted', changed: [] },
  ...{ lead_id: null, lead: content },
};
export const insertAnswers = {
  200: {
    deduped: { value: { ok: true, status: 'deduped', changed: [], lead: stored } },
    patched: { value: { ok: true, status: 'patched', changed: ['email'], lead: upserted } },
    validate_only: {
      summary: 'With validate_only=true: what would follow',
      value: insertPreview,
    },
  },
  201: { inserted: { value: { ok: true, status: 'inserted', changed: [], lead: stored } } },
};

export const batchRequests = {
  json: {
    rows: { summary: 'Two rows, one of them invalid', value: { leads: [second, unreachable] } },
  },
  ndjson: { lines: { summary: 'The same as one JSON object a line', value: ndjson } },
};
export const batchAnswers = {
  200: {
    rows: { value: batchAnswer },
    lines: { value: batchAnswer },
    validate_only: { summary: 'With validate_only=true: what would follow', value: batchPreview },
  },
};

export const listAnswers = {
  200: {
    page: { summary: 'More exist', value: { ok: true, leads: [upserted], nextCursor: AT } },
    last: { summary: 'The last page', value: { ok: true, leads: [], nextCursor: null } },
  },
};
export const getAnswers = { 200: { lead: { value: { ok: true, lead: upserted } } } };

export const patchRequests = {
  changed: { summary: 'null removes a custom field', value: patch },
  unchanged: { summary: 'The same again: nothing is written', value: patch },
};
export const patchAnswers = {
  200: {
    changed: { value: { ok: true, lead: patched, changed: ['custom_fields', 'status'] } },
    unchanged: { value: { ok: true, lead: patched, changed: [] } },
  },
};

const record = {
  version: 2,
  kind: 'patched',
  occurred_at: LATER,
  actor: { type: 'api_key', id: 'lwpk_5yHk2Qm8vTz1Xc7Nb4Rd9W' },
  request_id: '019bc1a6-94d6-7f20-a1b3-0c4d5e6f7a8b',
  address: '203.0.113.7',
  changes: [{ field: 'email', before: stored.email, after: upserted.email }],
};
export const historyAnswers = {
  200: { history: { value: { ok: true, history: [record], nextCursor: '2' } } },
};

const { id, status, first_name, last_name, email, phone, address, created_at, updated_at } =
  upserted;
const legacy = {
  ...{ id, campaign_id: '1', status, first_name, last_name, email, phone, address },
  ...{ created_at, updated_at },
};
export const legacyAnswers = {
  200: {
    page: {
      value: {
        data: [legacy],
        pagination: { total: 41, limit: 20, offset: 20, has_more: true },
      },
    },
  },
};
