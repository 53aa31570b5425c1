/**
 * The lead that every case sends: all the usual fields, consent record, five custom fields, address.
 * Marks in it are overwritten in place for each request, which keeps the cost of making a unique
 * lead far below the cost of sending it, and Content-Length constant.
 */
export const NUMBER = '#'.repeat(9);
export const REVISION = '@'.repeat(9);

export const leadBody = JSON.stringify({
  campaign_id: 1,
  external_lead_id: `bench-${NUMBER}`,
  phone: `+12${NUMBER}`,
  email: `maria.lindqvist.${NUMBER}@example.com`,
  first_name: 'Maria',
  last_name: 'Lindqvist',
  source: 'partner-feed-7',
  source_form_url: 'https://offers.example.com/solar/quote?step=4',
  tcpa_consent: true,
  tcpa_consent_text:
    'By clicking Submit I agree to be called about solar offers at the number given.',
  tcpa_consent_timestamp: '2026-01-15T10:30:00Z',
  custom_fields: {
    roof_type: 'tile',
    monthly_bill: 184.5,
    owner: true,
    visit: REVISION,
    utility: 'Pacific Gas & Electric',
  },
  address: { street: '1200 Harbour Street', city: 'Fresno', state: 'CA', zip: '93650' },
});

export function externalId(number: number): string {
  return `bench-${String(number).padStart(9, '0')}`;
}

/** The body of a batch request with `size` leads. */
export function batchBody(size: number): string {
  return `{"leads":[${Array(size).fill(leadBody).join(',')}]}`;
}
