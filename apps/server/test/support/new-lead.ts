import { randomUUID } from 'node:crypto';
import type { Json } from './call.ts';

/** A valid lead of campaign 1 that no other test has. */
export const newLead = (fields: Record<string, unknown> = {}): Json => ({
  campaign_id: 1,
  external_lead_id: `lead-${randomUUID()}`,
  phone: '+14155550132',
  ...fields,
});
