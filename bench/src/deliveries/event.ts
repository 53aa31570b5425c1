import { leadBody, NUMBER, REVISION } from '../lead.ts';

export type BenchEvent = { id: string; body: string };

const ACCOUNT = '0199b2c4-7d10-7cc3-8f3e-5b1d6a4e9f20';
const TIMESTAMP = '2026-01-15T10:30:00.123456Z';
const ALL_NUMBERS = new RegExp(NUMBER, 'g');

const { tcpa_consent_timestamp: _, ...lead } = JSON.parse(leadBody) as Record<string, unknown>;
const template = JSON.stringify({
  id: 'ID',
  type: 'lead.created',
  timestamp: TIMESTAMP,
  account_id: ACCOUNT,
  data: {
    lead: {
      id: ACCOUNT,
      account_id: ACCOUNT,
      ...lead,
      tcpa_consent_timestamp: TIMESTAMP,
      status: 'new',
      created_at: TIMESTAMP,
      updated_at: TIMESTAMP,
    },
    changed: [],
  },
}).replace(REVISION, '0'.repeat(REVISION.length));

/** What the others send: an event as Leadwire makes it of the lead that the bench posts. */
export function benchEvent(number: number): BenchEvent {
  const id = `evt_${number.toString(16).padStart(32, '0')}`;
  const digits = String(number).padStart(NUMBER.length, '0');
  return { id, body: template.replace('"ID"', `"${id}"`).replace(ALL_NUMBERS, digits) };
}
