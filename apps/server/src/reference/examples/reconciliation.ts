import { createHash } from 'node:crypto';
import { CONTENT_FIELDS, contentOf, type ReconcileAnswer } from '@leadwire/contract';
import { LEAD_EXAMPLES } from './leads.ts';

const { upserted } = LEAD_EXAMPLES;

/** The content hash of a lead that is as it was upserted but for `fields`. */
const hashWith = (fields: Partial<typeof upserted>): string =>
  createHash('sha256')
    .update(contentOf({ ...upserted, ...fields }, CONTENT_FIELDS))
    .digest('hex');

const row = (external_lead_id: string, content_hash: string) => ({
  ...{ campaign_id: 1, external_lead_id, content_hash },
});
const known = 'partner-0001';
const missing = row('partner-9999', hashWith({ phone: '+442079460018' }));
const lead_id = upserted.id;

const agreeing: ReconcileAnswer = {
  ok: true,
  results: [
    { index: 0, result: 'agrees', lead_id },
    { index: 1, result: 'missing', lead_id: null },
  ],
  counts: { agrees: 1, differs: 0, missing: 1 },
};
const differing: ReconcileAnswer = {
  ok: true,
  results: [{ index: 0, result: 'differs', lead_id }],
  counts: { agrees: 0, differs: 1, missing: 0 },
};

export const reconcileRequests = {
  rows: {
    summary: 'One that is stored as you know it, one that is not stored',
    value: { leads: [row(known, hashWith({})), missing] },
  },
  differs: {
    summary: 'You know another last name',
    value: { leads: [row(known, hashWith({ last_name: 'King' }))] },
  },
};
export const reconcileAnswers = {
  200: { rows: { value: agreeing }, differs: { value: differing } },
};
