import type { Member } from '@leadwire/contract/dashboard';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useApi } from '../../api/index.ts';
import { type Column, DataTable, Loaded, RelativeTime, StatusBadge } from '../../parts/index.ts';
import { type CurrentAccount, useAccount, useMe } from '../../shell/account.ts';
import { ChangeRoleDialog } from './ChangeRoleDialog.tsx';
import classes from './members.module.css';
import { RemoveMemberDialog } from './RemoveMemberDialog.tsx';

type Act = { act: 'role' | 'remove'; member: Member };

export function MemberTable() {
  const account = useAccount();
  const { data: me } = useMe();
  const members = useApi('listMembers', { params: { account: account.id } });
  const [open, setOpen] = useState<Act | null>(null);
  const close = () => setOpen(null);
  return (
    <div className={classes.table}>
      <Loaded query={members}>
        {(answer) => (
          <DataTable
            label="Members"
            columns={columns(account, me?.id, setOpen)}
            rows={answer.members}
            rowKey={({ id }) => id}
          />
        )}
      </Loaded>
      {open?.act === 'role' ? <ChangeRoleDialog member={open.member} onClose={close} /> : null}
      {open?.act === 'remove' ? <RemoveMemberDialog member={open.member} onClose={close} /> : null}
    </div>
  );
}

function columns(
  account: CurrentAccount,
  me: string | undefined,
  open: (act: Act) => void,
): Column<Member>[] {
  const mayTouch = ({ role }: Member) =>
    account.may('members.change') && (role !== 'owner' || account.may('owners.change'));
  return [
    {
      key: 'person',
      header: 'Person',
      isName: true,
      cell: ({ id, name, email }) => (
        <span className={classes.person}>
          <span>
            {name} {id === me ? <StatusBadge>You</StatusBadge> : null}
          </span>
          <small>{email}</small>
        </span>
      ),
    },
    { key: 'role', header: 'Role', cell: ({ role }) => role },
    {
      key: 'factor',
      header: 'Second factor',
      wide: true,
      cell: ({ second_factor }) => (
        <StatusBadge tone={second_factor ? 'good' : 'calm'}>
          {second_factor ? 'On' : 'Off'}
        </StatusBadge>
      ),
    },
    {
      key: 'joined',
      header: 'Joined',
      wide: true,
      cell: ({ joined_at }) => <RelativeTime value={joined_at} />,
    },
    ...(account.may('members.change')
      ? [
          {
            key: 'acts',
            header: 'Actions',
            align: 'right' as const,
            cell: (member: Member) =>
              mayTouch(member) ? <Acts {...{ member, open }} isMe={member.id === me} /> : null,
          },
        ]
      : []),
  ];
}

function Acts({ member, open, isMe }: { member: Member; open: (act: Act) => void; isMe: boolean }) {
  return (
    <span className={classes.acts}>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Change role of ${member.name}`}
        onClick={() => open({ act: 'role', member })}
      >
        Change role
      </Button>
      {isMe ? null : (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Remove ${member.name}`}
          onClick={() => open({ act: 'remove', member })}
        >
          Remove
        </Button>
      )}
    </span>
  );
}
