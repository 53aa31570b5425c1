import type { Form, FormField } from '@leadwire/contract/dashboard';
import type { ReactNode } from 'react';
import { useApi } from '../../api/index.ts';
import {
  type Column,
  countryName,
  DataTable,
  Facts,
  Mono,
  None,
  Section,
  TextLink,
  Timestamp,
} from '../../parts/index.ts';
import type { FormParams } from './FormDialogs.tsx';
import classes from './forms.module.css';
import { perAddressText, secondsText, TARGETS } from './words.ts';

type Props = { form: Form; params: FormParams };

/** How the form is set; the button Edit changes it. */
export const FormSettings = ({ form, params }: Props) => (
  <>
    <Section title="Fields">
      <DataTable
        label="Fields of the form"
        columns={FIELDS}
        rows={form.fields}
        rowKey={({ name }) => name}
      />
    </Section>
    <Section title="Settings">
      <Facts facts={factsOf(form, <Campaign id={form.campaign_id} params={params} />, params)} />
    </Section>
  </>
);

const FIELDS: Column<FormField>[] = [
  {
    key: 'label',
    header: 'Label',
    isName: true,
    cell: ({ label }) => <span className={classes.text}>{label}</span>,
  },
  {
    key: 'to',
    header: 'Goes to',
    cell: ({ to }) => TARGETS[to] ?? <Mono>{to}</Mono>,
  },
  { key: 'name', header: 'Input name', wide: true, cell: ({ name }) => <Mono>{name}</Mono> },
  { key: 'required', header: 'Required', cell: ({ required }) => (required ? 'Yes' : 'No') },
];

const factsOf = (
  form: Form,
  campaign: ReactNode,
  { account }: FormParams,
): [string, ReactNode][] => [
  ['Campaign', campaign],
  [
    'API key',
    <TextLink key="key" to="/a/$account/keys/$key" params={{ account, key: form.key.id }} size="sm">
      {form.key.name}
    </TextLink>,
  ],
  ['Consent', <Consent key="consent" consent={form.consent} />],
  ['Page after sending', form.redirect_url ?? 'A page of ours that says thanks'],
  ['Allowed origins', <Origins key="origins" origins={form.allowed_origins} />],
  ['Source', form.source ?? <None key="source" />],
  [
    'Country of phone numbers',
    form.default_country ? countryName(form.default_country) : 'None: a plus sign is needed',
  ],
  ['Least time to fill it in', secondsText(form.min_fill_seconds)],
  ['Most from one address', perAddressText(form.per_address_a_minute)],
  ['Form id', <Mono key="id">{form.id}</Mono>],
  ['Created', <Timestamp key="created" value={form.created_at} />],
  ['Changed', <Timestamp key="changed" value={form.updated_at} />],
];

function Campaign({ id, params }: { id: number; params: FormParams }) {
  const { account } = params;
  const { data } = useApi('listCampaigns', { params: { account } });
  return (
    <TextLink to="/a/$account/leads" params={{ account }} search={{ campaign_id: id }} size="sm">
      {data?.campaigns.find((one) => one.id === id)?.name ?? `Campaign ${id}`}
    </TextLink>
  );
}

const Consent = ({ consent }: Pick<Form, 'consent'>) =>
  consent ? (
    <>
      <span className={classes.text}>{consent.text}</span> (version {consent.version},{' '}
      {consent.required ? 'required' : 'not required'})
    </>
  ) : (
    <None>Not asked for</None>
  );

const Origins = ({ origins }: { origins: readonly string[] }) =>
  origins.length === 0 ? 'Any' : origins.map((origin) => <div key={origin}>{origin}</div>);
