import type { Session } from '@leadwire/contract/dashboard';
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
  StatusBadge,
  tellDone,
} from '../../parts/index.ts';
import { browserOf } from './browser-name.ts';

export function SessionsSection() {
  const sessions = useApi('listSessions', {});
  const [ending, setEnding] = useState<Session | null>(null);
  return (
    <Section title="Sessions" description="Where you are signed in. End what you do not know.">
      <Loaded query={sessions}>
        {(answer) => (
          <DataTable
            label="Sessions"
            columns={columns(setEnding)}
            rows={answer.sessions}
            rowKey={({ id }) => id}
          />
        )}
      </Loaded>
      {ending ? <EndSession session={ending} onClose={() => setEnding(null)} /> : null}
    </Section>
  );
}

const columns = (end: (session: Session) => void): Column<Session>[] => [
  {
    key: 'browser',
    header: 'Browser',
    isName: true,
    cell: ({ user_agent, current }) => (
      <span title={user_agent ?? undefined}>
        {browserOf(user_agent)} {current ? <StatusBadge tone="info">This one</StatusBadge> : null}
      </span>
    ),
  },
  {
    key: 'address',
    header: 'Address',
    wide: true,
    cell: ({ address }) => address ?? <None>Unknown</None>,
  },
  {
    key: 'used',
    header: 'Last used',
    cell: ({ last_used_at }) => <RelativeTime value={last_used_at} />,
  },
  {
    key: 'since',
    header: 'Signed in',
    wide: true,
    cell: ({ created_at }) => <RelativeTime value={created_at} />,
  },
  {
    key: 'end',
    header: 'Actions',
    align: 'right',
    cell: (session) =>
      session.current ? null : (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`End the session of ${browserOf(session.user_agent)} at ${session.address ?? 'an unknown address'}`}
          onClick={() => end(session)}
        >
          End
        </Button>
      ),
  },
];

function EndSession({ session, onClose }: { session: Session; onClose: () => void }) {
  const end = useChange('endSession', {
    refreshes: ['listSessions'],
    onSuccess: () => {
      onClose();
      tellDone('Session ended');
    },
  });
  return (
    <ConfirmDialog
      title="End this session?"
      opened
      onClose={onClose}
      confirm="End session"
      onConfirm={() => end.mutate({ params: { session: session.id } })}
      isPending={end.isPending}
      error={end.error}
    >
      {browserOf(session.user_agent)} at {session.address ?? 'an unknown address'} is signed out,
      and what was being typed there is lost.
    </ConfirmDialog>
  );
}
