import type { Invitation } from '@leadwire/contract/dashboard';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useApi, useChange } from '../../api/index.ts';
import {
  type Column,
  ConfirmDialog,
  DataTable,
  Loaded,
  None,
  RelativeTime,
  Section,
  tellDone,
} from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';

/** Links that nobody has used yet. */
export function InvitationsSection() {
  const account = useAccount();
  const invitations = useApi('listInvitations', { params: { account: account.id } });
  const [open, setOpen] = useState<Invitation | null>(null);
  return (
    <Section title="Open invitations">
      <Loaded query={invitations}>
        {(answer) =>
          answer.invitations.length === 0 ? (
            <None>None. An invitation stands here until it is used, withdrawn or too old.</None>
          ) : (
            <DataTable
              label="Open invitations"
              columns={columns(setOpen)}
              rows={answer.invitations}
              rowKey={({ id }) => id}
            />
          )
        }
      </Loaded>
      {open ? <WithdrawDialog invitation={open} onClose={() => setOpen(null)} /> : null}
    </Section>
  );
}

const nameOf = ({ email }: Invitation) => email ?? 'whoever holds the link';

const columns = (open: (invitation: Invitation) => void): Column<Invitation>[] => [
  { key: 'for', header: 'For', isName: true, cell: (one) => nameOf(one) },
  { key: 'role', header: 'Role', cell: ({ role }) => role },
  {
    key: 'by',
    header: 'By',
    wide: true,
    cell: ({ invited_by }) => invited_by ?? <None>An operator</None>,
  },
  {
    key: 'until',
    header: 'Ends',
    wide: true,
    cell: ({ expires_at }) =>
      expires_at ? <RelativeTime value={expires_at} /> : <None>When used</None>,
  },
  {
    key: 'acts',
    header: 'Actions',
    align: 'right',
    cell: (one) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Withdraw the invitation for ${nameOf(one)}`}
        onClick={() => open(one)}
      >
        Withdraw
      </Button>
    ),
  },
];

function WithdrawDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const account = useAccount();
  const withdraw = useChange('withdrawInvitation', {
    refreshes: ['listInvitations'],
    onSuccess: () => {
      onClose();
      tellDone('Invitation withdrawn');
    },
  });
  return (
    <ConfirmDialog
      title="Withdraw this invitation?"
      opened
      onClose={onClose}
      confirm="Withdraw"
      onConfirm={() =>
        withdraw.mutate({ params: { account: account.id, invitation: invitation.id } })
      }
      isPending={withdraw.isPending}
      error={withdraw.error}
    >
      The link for {nameOf(invitation)} stops working. Whoever should join after all needs a new
      one.
    </ConfirmDialog>
  );
}
