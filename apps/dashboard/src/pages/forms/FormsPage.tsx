import type { Campaign, Form } from '@leadwire/contract/dashboard';
import { Button } from '@mantine/core';
import { FileInput, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useApi } from '../../api/index.ts';
import {
  type Column,
  DataTable,
  EmptyState,
  Loaded,
  PageHeader,
  RelativeTime,
  StatusBadge,
  TextLink,
} from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { CreateForm } from './FormDialogs.tsx';
import { FormsOff } from './FormsOff.tsx';
import classes from './forms.module.css';
import { stateOf } from './words.ts';

const REFRESH_MS = 10_000;

/** Every capture form of the account. */
export function FormsPage() {
  const account = useAccount();
  const [isCreating, setIsCreating] = useState(false);
  const params = { account: account.id };
  const forms = useApi('listForms', { params }, { refetchInterval: REFRESH_MS });
  const campaigns = useApi('listCampaigns', { params });
  const create = account.may('forms.change') && (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setIsCreating(true)}>
      Create form
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Forms"
        description="Forms for your own landing pages and for Google Ads. What is sent with them becomes a lead at once, with evidence of the consent."
        actions={forms.data?.forms.length !== 0 && create}
      />
      <FormsOff />
      <Loaded query={forms}>
        {({ forms: rows }) =>
          rows.length === 0 ? (
            <Empty action={create} />
          ) : (
            <DataTable
              label="List of forms"
              columns={columnsOf(account.id, campaigns.data?.campaigns ?? [])}
              rows={rows}
              rowKey={({ id }) => id}
            />
          )
        }
      </Loaded>
      <CreateForm opened={isCreating} onClose={() => setIsCreating(false)} />
    </>
  );
}

const Empty = ({ action }: { action: ReactNode }) => (
  <EmptyState title="No forms yet" icon={<FileInput size={28} />} action={action}>
    {action
      ? 'Create a form for a campaign. You get HTML to paste into your page, and an address for Google Ads.'
      : 'An admin of the account can create one. It then has HTML to paste into a page.'}
  </EmptyState>
);

const columnsOf = (account: string, campaigns: readonly Campaign[]): Column<Form>[] => [
  {
    key: 'name',
    header: 'Name',
    isName: true,
    cell: ({ id, name }) => (
      <TextLink
        to="/a/$account/forms/$form"
        params={{ account, form: id }}
        size="sm"
        style={{ overflowWrap: 'anywhere' }}
      >
        {name}
      </TextLink>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: (form) => {
      const { label, tone } = stateOf(form);
      return <StatusBadge tone={tone}>{label}</StatusBadge>;
    },
  },
  {
    key: 'campaign',
    header: 'Campaign',
    cell: ({ campaign_id: id }) => (
      <TextLink
        to="/a/$account/leads"
        params={{ account }}
        search={{ campaign_id: id }}
        size="sm"
        className={classes.cut ?? ''}
      >
        {campaigns.find((one) => one.id === id)?.name ?? `Campaign ${id}`}
      </TextLink>
    ),
  },
  {
    key: 'key',
    header: 'API key',
    wide: true,
    cell: ({ key }) => (
      <TextLink
        to="/a/$account/keys/$key"
        params={{ account, key: key.id }}
        size="sm"
        className={classes.cut ?? ''}
      >
        {key.name}
      </TextLink>
    ),
  },
  {
    key: 'created',
    header: 'Created',
    wide: true,
    cell: ({ created_at: at }) => <RelativeTime value={at} />,
  },
];
