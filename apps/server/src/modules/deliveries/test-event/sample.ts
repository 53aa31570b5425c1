import type { Campaign, Event, EventType, Lead } from '@leadwire/contract';

/** What a test event is made of: nobody's data, and clearly a sample. */
function sampleLead(accountId: string, at: string, isConverted: boolean): Lead {
  return {
    id: '00000000-0000-7000-8000-000000000000',
    account_id: accountId,
    campaign_id: 1,
    external_lead_id: 'sample-lead',
    phone: '+15555550100',
    email: 'sample@example.com',
    first_name: 'Sample',
    last_name: 'Lead',
    source: 'Leadwire test event',
    source_form_url: 'https://example.com/sample',
    tcpa_consent: true,
    tcpa_consent_text: 'This is a sample; nobody has agreed to anything.',
    tcpa_consent_timestamp: at,
    custom_fields: { sample: true },
    status: isConverted ? 'converted' : 'new',
    address: { street: '1 Sample St', city: 'Sample', state: 'CA', zip: '00000' },
    created_at: at,
    updated_at: at,
  };
}

const sampleCampaign = (accountId: string, state: Campaign['state']): Campaign => ({
  ...{ id: 1, account_id: accountId, name: 'Sample campaign', state },
});

/** An event as the contract has it, of something that did not happen. @param at ISO 8601 in UTC with six decimals */
export function sampleEvent(type: EventType, event: { id: string; accountId: string; at: string }) {
  const { id, accountId, at } = event;
  const head = { id, type, timestamp: at, account_id: accountId };
  return { ...head, data: dataOf(type, accountId, at) } as Event;
}

function dataOf(type: EventType, accountId: string, at: string): Event['data'] {
  switch (type) {
    case 'lead.created':
      return { lead: sampleLead(accountId, at, false), changed: [] };
    case 'lead.updated':
      return { lead: sampleLead(accountId, at, false), changed: ['email'] };
    case 'lead.converted':
      return { lead: sampleLead(accountId, at, true), changed: ['status'] };
    case 'campaign.started':
      return { campaign: sampleCampaign(accountId, 'active') };
    case 'campaign.paused':
      return { campaign: sampleCampaign(accountId, 'paused') };
  }
}
