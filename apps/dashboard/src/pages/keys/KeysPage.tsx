import type { ApiKey } from '@leadwire/contract/dashboard';
import { Button } from '@mantine/core';
import { KeyRound, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useApi } from '../../api/index.ts';
import {
  type Column,
  DataTable,
  EmptyState,
  Loaded,
  Mono,
  None,
  PageHeader,
  RelativeTime,
  StatusBadge,
  TextLink,
} from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { CreateKey } from './CreateKey.tsx';
import classes from './keys.module.css';
import { stateOf } from './words.ts';

const REFRESH_MS = 10_000;

/** Every key of the account, those that work first. */
export function KeysPage() {
  const account = useAccount();
  const [isCreating, setIsCreating] = useState(false);
  const params = { account: account.id };
  const keys = useApi('listKeys', { params }, { refetchInterval: REFRESH_MS });
  const create = account.may('keys.change') && (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setIsCreating(true)}>
      Create key
    </Button>
  );
  const isEmpty = keys.data?.keys.length === 0;
  return (
    <>
      <PageHeader
        title="API keys"
        description="Partners send and read leads with a key. Give each partner one of their own, so that it can be revoked alone."
        actions={!isEmpty && create}
      />
      <Loaded query={keys}>
        {({ keys: rows }) =>
          rows.length === 0 ? (
            <Empty action={create} />
          ) : (
            <DataTable
              label="API keys"
              columns={columnsOf(account.id, rows)}
              rows={inUseFirst(rows)}
              rowKey={({ id }) => id}
            />
          )
        }
      </Loaded>
      <CreateKey opened={isCreating} onClose={() => setIsCreating(false)} />
    </>
  );
}

const Empty = ({ action }: { action: ReactNode }) => (
  <EmptyState title="No API keys yet" icon={<KeyRound size={28} />} action={action}>
    {action
      ? 'Create a key to send the first lead. You get a line to paste that does it.'
      : 'An admin of the account can create one.'}
  </EmptyState>
);

const inUseFirst = (keys: readonly ApiKey[]): ApiKey[] => [
  ...keys.filter(({ state }) => state === 'active'),
  ...keys.filter(({ state }) => state !== 'active'),
];

const columnsOf = (account: string, all: readonly ApiKey[]): Column<ApiKey>[] => [
  {
    key: 'name',
    header: 'Name',
    isName: true,
    cell: ({ id, name, public_key: publicKey }) => (
      <>
        <TextLink
          to="/a/$account/keys/$key"
          params={{ account, key: id }}
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
        >
          {name}
        </TextLink>
        <div className={classes.publicKey}>
          <Mono cut>{publicKey}</Mono>
        </div>
      </>
    ),
  },
  { key: 'state', header: 'State', cell: (key) => <State apiKey={key} {...{ account, all }} /> },
  { key: 'scopes', header: 'Scopes', wide: true, cell: ({ scopes }) => scopes.join(', ') },
  {
    key: 'used',
    header: 'Last used',
    cell: ({ last_used_at: at }) => (at ? <RelativeTime value={at} /> : <None>Never</None>),
  },
  {
    key: 'expires',
    header: 'Expires',
    wide: true,
    cell: ({ expires_at: at }) => (at ? <RelativeTime value={at} /> : <None>Never</None>),
  },
];

type StateProps = { apiKey: ApiKey; account: string; all: readonly ApiKey[] };

function State({ apiKey, account, all }: StateProps) {
  const { label, tone } = stateOf(apiKey);
  const successor = all.find(({ id }) => id === apiKey.replaced_by);
  if (!successor) return <StatusBadge tone={tone}>{label}</StatusBadge>;
  return (
    <>
      <StatusBadge tone={tone}>{label}</StatusBadge>{' '}
      <TextLink to="/a/$account/keys/$key" params={{ account, key: successor.id }} size="xs">
        by a new key
      </TextLink>
    </>
  );
}
