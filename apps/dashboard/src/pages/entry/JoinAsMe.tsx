import type { Me, ShownInvitation } from '@leadwire/contract/dashboard';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useChange } from '../../api/index.ts';
import { ErrorState } from '../../parts/index.ts';
import classes from './entry.module.css';

type Props = {
  token: string;
  invitation: ShownInvitation;
  me: Me;
  joined: (answer: { account_id: string }) => void;
};

/** For somebody who is signed in: they join as they are, or sign out where the link is for another. */
export function JoinAsMe({ token, invitation, me, joined }: Props) {
  const join = useChange('joinAsMe', { onSuccess: joined });
  const isForAnother = invitation.email !== null && !isSame(invitation.email, me.email);
  return (
    <div className={classes.form}>
      {join.error ? <ErrorState error={join.error} /> : null}
      {isForAnother ? (
        <p>
          This link is for <strong>{invitation.email}</strong>, and you are signed in as{' '}
          <strong>{me.email}</strong>. Sign out to join as the one who was invited.
        </p>
      ) : (
        <>
          <p>
            You are signed in as {me.name}, <strong>{me.email}</strong>.
          </p>
          <Button loading={join.isPending} onClick={() => join.mutate({ body: { token } })}>
            Join
          </Button>
        </>
      )}
      <SignOut isMain={isForAnother} />
    </div>
  );
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function SignOut({ isMain }: { isMain: boolean }) {
  const client = useQueryClient();
  const signOut = useChange('signOut', {
    onSuccess: () => client.resetQueries({ queryKey: ['getMe'] }),
  });
  return (
    <>
      {signOut.error ? <ErrorState error={signOut.error} /> : null}
      <Button
        variant={isMain ? 'filled' : 'subtle'}
        loading={signOut.isPending}
        onClick={() => signOut.mutate({})}
      >
        Sign out, join as another
      </Button>
    </>
  );
}
