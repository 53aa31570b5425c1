import type { Campaign } from '@leadwire/contract/dashboard';
import { Button, Group, Text } from '@mantine/core';
import { Megaphone, Pencil, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useApi } from '../../api/index.ts';
import {
  type Column,
  DataTable,
  EmptyState,
  formatCount,
  Loaded,
  Mono,
  PageHeader,
  RelativeTime,
  StatusBadge,
  TextLink,
  type Tone,
} from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { CreateCampaign, RenameCampaign } from './CampaignDialogs.tsx';
import classes from './campaigns.module.css';
import { StateButton } from './StateButton.tsx';

const REFRESH_MS = 10_000;

type Open = { kind: 'create' } | { kind: 'rename'; campaign: Campaign } | null;

/** Every campaign of the account, with how many leads it has. */
export function CampaignsPage() {
  const account = useAccount();
  const [open, setOpen] = useState<Open>(null);
  const params = { account: account.id };
  const campaigns = useApi('listCampaigns', { params }, { refetchInterval: REFRESH_MS });
  const mayChange = account.may('campaigns.change');
  const close = () => setOpen(null);
  const create = mayChange && (
    <Button
      leftSection={<Plus size={16} aria-hidden />}
      onClick={() => setOpen({ kind: 'create' })}
    >
      Create campaign
    </Button>
  );
  const rename = mayChange
    ? (campaign: Campaign) => setOpen({ kind: 'rename', campaign })
    : undefined;
  return (
    <>
      <PageHeader
        title="Campaigns"
        description="Each lead belongs to a campaign and names it by its number. Leads are taken in every state; starting and pausing tell partners by an event."
        actions={campaigns.data?.campaigns.length !== 0 && create}
      />
      <Loaded query={campaigns}>
        {({ campaigns: rows }) =>
          rows.length === 0 ? (
            <Empty action={create} />
          ) : (
            <DataTable
              label="Campaigns"
              columns={columnsOf(account.id, rename)}
              rows={rows}
              rowKey={({ id }) => String(id)}
            />
          )
        }
      </Loaded>
      <CreateCampaign opened={open?.kind === 'create'} onClose={close} />
      {open?.kind === 'rename' && <RenameCampaign campaign={open.campaign} onClose={close} />}
    </>
  );
}

const Empty = ({ action }: { action: ReactNode }) => (
  <EmptyState title="No campaigns yet" icon={<Megaphone size={28} />} action={action}>
    {action
      ? 'Create a campaign. Leads are sent with its number as campaign_id.'
      : 'An admin of the account can create one. Leads are sent with its number as campaign_id.'}
  </EmptyState>
);

const STATES: Readonly<Record<Campaign['state'], { label: string; tone: Tone }>> = {
  draft: { label: 'Draft', tone: 'calm' },
  active: { label: 'Active', tone: 'good' },
  paused: { label: 'Paused', tone: 'warn' },
};

function columnsOf(
  account: string,
  rename: ((campaign: Campaign) => void) | undefined,
): Column<Campaign>[] {
  const columns: Column<Campaign>[] = [
    {
      key: 'name',
      header: 'Name',
      isName: true,
      cell: ({ id, name }) => <Name {...{ id, name }} />,
    },
    {
      key: 'state',
      header: 'State',
      cell: ({ state }) => (
        <StatusBadge tone={STATES[state].tone}>{STATES[state].label}</StatusBadge>
      ),
    },
    {
      key: 'leads',
      header: 'Leads',
      align: 'right',
      cell: (row) => <Leads {...{ account, row }} />,
    },
    {
      key: 'day',
      header: 'Last 24 hours',
      align: 'right',
      wide: true,
      cell: ({ leads_last_day: count }) => formatCount(count),
    },
    {
      key: 'created',
      header: 'Created',
      wide: true,
      cell: ({ created_at: at }) => <RelativeTime value={at} />,
    },
  ];
  if (rename) columns.push(actionsOf(rename));
  return columns;
}

/** Its number stands with it: that is what leads are sent with. */
const Name = ({ id, name }: Pick<Campaign, 'id' | 'name'>) => (
  <div className={classes.name}>
    {name}
    <Text size="xs" c="dimmed">
      campaign_id <Mono>{String(id)}</Mono>
    </Text>
  </div>
);

const Leads = ({ account, row }: { account: string; row: Campaign }) => (
  <TextLink
    to="/a/$account/leads"
    params={{ account }}
    search={{ campaign_id: row.id }}
    size="sm"
    aria-label={`${formatCount(row.leads)} leads of ${row.name}`}
  >
    {formatCount(row.leads)}
  </TextLink>
);

const actionsOf = (rename: (campaign: Campaign) => void): Column<Campaign> => ({
  key: 'actions',
  header: 'Actions',
  align: 'right',
  cell: (campaign) => (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Rename ${campaign.name}`}
        onClick={() => rename(campaign)}
      >
        <Pencil size={14} aria-hidden />
        <span className={classes.word}>Rename</span>
      </Button>
      <StateButton campaign={campaign} />
    </Group>
  ),
});
