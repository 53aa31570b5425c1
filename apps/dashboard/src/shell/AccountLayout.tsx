import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { ButtonLink, EmptyState, PageHeader } from '../parts/index.ts';
import { AccountContext, currentAccount, rememberAccount, useMe } from './account.ts';

/** Tells the pages below which account they are about, and what the person may do there. */
export function AccountLayout() {
  const { account: id } = useParams({ strict: false });
  const { data: me } = useMe();
  const membership = me?.accounts.find(({ account_id }) => account_id === id);
  const account = useMemo(() => membership && currentAccount(membership), [membership]);
  useEffect(() => {
    if (account) rememberAccount(account.id);
  }, [account]);
  if (!me) return null;
  if (!account) return <NoSuchAccount />;
  return (
    <AccountContext value={account} key={account.id}>
      <Outlet />
    </AccountContext>
  );
}

function NoSuchAccount() {
  return (
    <>
      <PageHeader title="Account not found" />
      <EmptyState
        title="You are not a member of this account"
        action={<ButtonLink to="/">Your accounts</ButtonLink>}
      >
        It may have been removed, or somebody took you off its list. Ask one of its owners for an
        invitation.
      </EmptyState>
    </>
  );
}
