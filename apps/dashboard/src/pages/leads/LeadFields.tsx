import type { Address } from '@leadwire/contract';
import type { ShownLead } from '@leadwire/contract/dashboard';
import type { ReactNode } from 'react';
import { Facts, JsonView, Mono, None, Section, TextLink, Timestamp } from '../../parts/index.ts';
import type { LeadParams } from './LeadPage.tsx';
import classes from './leads.module.css';
import { StatusChange } from './StatusChange.tsx';

type Props = { lead: ShownLead; params: LeadParams };

/** Every field of a lead, in groups. */
export function LeadFields({ lead, params }: Props) {
  return (
    <div className={classes.groups}>
      <Section title="Contact">
        <Facts
          facts={[
            ['Status', <StatusChange key="status" {...{ lead, params }} />],
            ['Name', text([lead.first_name, lead.last_name].filter(Boolean).join(' '))],
            ['Phone', text(lead.phone)],
            ['Email', text(lead.email)],
            ['Address', text(addressLines(lead.address))],
          ]}
        />
      </Section>
      <Section title="Consent">
        <Facts
          facts={[
            ['Agreed', consent(lead.tcpa_consent)],
            ['Given', time(lead.tcpa_consent_timestamp)],
            ['Words', text(lead.tcpa_consent_text)],
          ]}
        />
      </Section>
      <Section title="Origin">
        <Facts facts={originOf(lead, params)} />
      </Section>
      <Section title="Custom fields">
        {Object.keys(lead.custom_fields).length === 0 ? (
          <None />
        ) : (
          <JsonView label="Custom fields" value={lead.custom_fields} />
        )}
      </Section>
    </div>
  );
}

const originOf = (lead: ShownLead, { account }: LeadParams): [string, ReactNode][] => [
  [
    'Campaign',
    <TextLink
      key="campaign"
      to="/a/$account/leads"
      params={{ account }}
      search={{ campaign_id: lead.campaign_id }}
      size="sm"
    >
      {`Leads of campaign ${lead.campaign_id}`}
    </TextLink>,
  ],
  ['External id', <Mono key="external">{lead.external_lead_id}</Mono>],
  ['Source', text(lead.source)],
  ['Form address', text(lead.source_form_url)],
  ['Arrived', time(lead.created_at)],
  ['Changed', time(lead.updated_at)],
  ['Lead id', <Mono key="id">{lead.id}</Mono>],
];

const text = (value: string | null): ReactNode =>
  value ? <span className={classes.text}>{value}</span> : <None />;

const time = (value: string | null): ReactNode => (value ? <Timestamp value={value} /> : <None />);

const consent = (value: boolean | null): ReactNode =>
  value === null ? <None>Not said</None> : value ? 'Yes' : 'No';

function addressLines(address: Address | null): string {
  const { street, city, state, zip } = address ?? {};
  return [street, [city, state, zip].filter(Boolean).join(' ')].filter(Boolean).join('\n');
}
