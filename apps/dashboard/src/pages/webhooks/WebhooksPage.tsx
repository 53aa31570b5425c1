import type { WebhookWithHealth } from '@leadwire/contract/dashboard';
import { Button, Text } from '@mantine/core';
import { Plus, Webhook } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useApi, useLive } from '../../api/index.ts';
import {
  type Column,
  DataTable,
  EmptyState,
  Loaded,
  PageHeader,
  StatusBadge,
  TextLink,
} from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { AddWebhook } from './AddWebhook.tsx';
import { countUpTo1000, shortUrl, stateOf } from './words.ts';

const REFRESH_MS = 10_000;
const LIVE = { deliveries: ['listWebhooks'] } as const;

/** Every webhook of the account, and how it does. */
export function WebhooksPage() {
  const account = useAccount();
  useLive(account.id, LIVE);
  const [isAdding, setIsAdding] = useState(false);
  const params = { account: account.id };
  const webhooks = useApi('listWebhooks', { params }, { refetchInterval: REFRESH_MS });
  const add = account.may('webhooks.change') && (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
      Add webhook
    </Button>
  );
  const isFilled = (webhooks.data?.webhooks.length ?? 0) > 0;
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Events of leads and campaigns, posted to your own endpoints as they happen."
        actions={isFilled && add}
      />
      <Loaded query={webhooks}>
        {({ webhooks: rows }) =>
          rows.length === 0 ? (
            <Empty action={add} />
          ) : (
            <DataTable
              label="List of webhooks"
              columns={columnsOf(account.id)}
              rows={rows}
              rowKey={({ id }) => id}
            />
          )
        }
      </Loaded>
      <AddWebhook opened={isAdding} onClose={() => setIsAdding(false)} />
    </>
  );
}

const Empty = ({ action }: { action: ReactNode }) => (
  <EmptyState title="No webhooks yet" icon={<Webhook size={28} />} action={action}>
    {action
      ? 'Add the address of an endpoint of yours. It gets a signed POST for each event from then on.'
      : 'An admin of the account can add one. It then gets a signed POST for each event.'}
  </EmptyState>
);

const columnsOf = (account: string): Column<WebhookWithHealth>[] => [
  {
    key: 'endpoint',
    header: 'Endpoint',
    isName: true,
    cell: ({ id, url, description }) => (
      <>
        <TextLink
          to="/a/$account/webhooks/$webhook"
          params={{ account, webhook: id }}
          title={url}
          size="sm"
          display="block"
          style={{ overflowWrap: 'anywhere' }}
        >
          {shortUrl(url)}
        </TextLink>
        {description && (
          <Text size="xs" c="dimmed" lineClamp={1} title={description}>
            {description}
          </Text>
        )}
      </>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: (webhook) => {
      const { label, tone } = stateOf(webhook);
      return <StatusBadge tone={tone}>{label}</StatusBadge>;
    },
  },
  { key: 'events', header: 'Events', wide: true, cell: ({ events }) => events.join(', ') },
  {
    key: 'waiting',
    header: 'Waiting',
    align: 'right',
    cell: ({ health }) => countUpTo1000(health.waiting),
  },
];
