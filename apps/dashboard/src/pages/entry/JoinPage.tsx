import type { ShownInvitation } from '@leadwire/contract/dashboard';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Answer, type ApiError, call, isSignedOut } from '../../api/index.ts';
import { ErrorState, Loading, TextLink, Timestamp } from '../../parts/index.ts';
import { useMe } from '../../shell/account.ts';
import { EntryFrame } from './EntryFrame.tsx';
import classes from './entry.module.css';
import { JoinAsMe } from './JoinAsMe.tsx';
import { JoinAsNewPerson } from './JoinAsNewPerson.tsx';
import { useLinkToken } from './token.ts';

/** Where an invitation's link leads. */
export function JoinPage() {
  const token = useLinkToken();
  // The token is in no key: what is kept under it would outlive this page.
  const invitation = useQuery<Answer<'showInvitation'>, ApiError>({
    queryKey: ['showInvitation'],
    queryFn: ({ signal }) => call('showInvitation', { body: { token } }, { signal }),
    enabled: token !== '',
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!token) return <Incomplete />;
  if (invitation.error) {
    return (
      <EntryFrame title="Join an account">
        <ErrorState error={invitation.error} retry={retryOf(invitation)} />
        <p className={classes.aside}>
          Joined already? <TextLink to="/">Go to your accounts</TextLink>
        </p>
      </EntryFrame>
    );
  }
  if (!invitation.data) return <Pending />;
  return <Join token={token} invitation={invitation.data} />;
}

const retryOf = ({ error, refetch }: { error: ApiError; refetch: () => unknown }) =>
  error.status === 410 ? undefined : () => void refetch();

const Pending = () => (
  <EntryFrame title="Join an account">
    <Loading />
  </EntryFrame>
);

const Incomplete = () => (
  <EntryFrame title="Join an account">
    <p>The address of this page is incomplete. Open the link as it was sent to you, all of it.</p>
  </EntryFrame>
);

function Join({ token, invitation }: { token: string; invitation: ShownInvitation }) {
  const { data: me, error, refetch } = useMe();
  const joined = useJoined();
  if (!me && !error) return <Pending />;
  if (error && !isSignedOut(error)) {
    return (
      <EntryFrame title="Join an account">
        <ErrorState error={error} retry={() => void refetch()} />
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title={`Join ${invitation.account_name}`} description={<Offer {...invitation} />}>
      {me && !error ? (
        <JoinAsMe {...{ token, invitation, me, joined }} />
      ) : (
        <JoinAsNewPerson {...{ token, invitation, joined }} onSignedIn={() => void refetch()} />
      )}
    </EntryFrame>
  );
}

const Offer = ({ role, expires_at }: ShownInvitation) => (
  <>
    You are invited as {role}. The link is good once
    {expires_at ? (
      <>
        , until <Timestamp value={expires_at} />
      </>
    ) : null}
    .
  </>
);

function useJoined() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return ({ account_id }: { account_id: string }) => {
    client.clear();
    void navigate({ to: '/a/$account/overview', params: { account: account_id }, replace: true });
  };
}
