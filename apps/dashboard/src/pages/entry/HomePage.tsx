import { Link, Navigate } from '@tanstack/react-router';
import { EmptyState, PageHeader } from '../../parts/index.ts';
import { lastAccount, useMe } from '../../shell/account.ts';
import classes from './entry.module.css';

/** Leads on to the account that was used last, or to the only one; asks where that is not clear. */
export function HomePage() {
  const { data: me } = useMe();
  if (!me) return null;
  const last = lastAccount();
  const { accounts } = me;
  const account = accounts.find(({ account_id }) => account_id === last) ?? alone(accounts);
  if (account) {
    return <Navigate to="/a/$account/overview" params={{ account: account.account_id }} replace />;
  }
  if (accounts.length === 0) return <NoAccount email={me.email} />;
  return (
    <>
      <PageHeader title="Your accounts" description="Choose the one to look at." />
      <ul className={classes.list}>
        {accounts.map(({ account_id, account_name, role }) => (
          <li key={account_id}>
            <Link
              className={classes.account}
              to="/a/$account/overview"
              params={{ account: account_id }}
            >
              {account_name}
              <small>{role}</small>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

const alone = <T,>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined);

const NoAccount = ({ email }: { email: string }) => (
  <>
    <PageHeader title="Your accounts" />
    <EmptyState title="You are a member of no account">
      Ask an owner of an account to invite <strong>{email}</strong>, then open the link that you
      get.
    </EmptyState>
  </>
);
