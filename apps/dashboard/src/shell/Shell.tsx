import { Burger, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { CoveredContext } from '../parts/index.ts';
import { About } from './About.tsx';
import { AccountSwitch } from './AccountSwitch.tsx';
import { lastAccount, useMe } from './account.ts';
import { Brand } from './Brand.tsx';
import { Navigation } from './Navigation.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import { useSessionEnded } from './session-end.ts';
import classes from './shell.module.css';

const SignInAgain = lazy(() =>
  import('./SignInAgain.tsx').then((module) => ({ default: module.SignInAgain })),
);

/** Around every page of somebody who is signed in. */
export function Shell() {
  const [isOpen, menu] = useDisclosure(false);
  const isEnded = useSessionEnded();
  const { data: me } = useMe();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever has chosen a page wants to see it
  useEffect(menu.close, [pathname]);
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#main">
        Skip to the page
      </a>
      <header className={classes.top}>
        <Burger
          size="sm"
          opened={isOpen}
          onClick={menu.toggle}
          aria-label="Open the navigation"
          aria-expanded={isOpen}
        />
        <Brand />
      </header>
      <aside className={classes.side} aria-label="Navigation">
        <Side />
      </aside>
      <Drawer
        opened={isOpen}
        onClose={menu.close}
        size={280}
        title="Navigation"
        closeButtonProps={{ 'aria-label': 'Close the navigation' }}
      >
        <div className={classes.drawer}>
          <Side />
        </div>
      </Drawer>
      <main className={classes.main} id="main" tabIndex={-1}>
        <div className={classes.page}>
          <CoveredContext value={isEnded}>
            <Outlet />
          </CoveredContext>
        </div>
      </main>
      {isEnded && me ? (
        <Suspense>
          <SignInAgain me={me} />
        </Suspense>
      ) : null}
    </div>
  );
}

function Side() {
  const { data: me } = useMe();
  const { account: id } = useParams({ strict: false });
  // Beside a page that is of no account, the way back to the last one, or to the only one.
  const shown = id ?? lastAccount();
  if (!me) return null;
  const [first, second] = me.accounts;
  const account =
    me.accounts.find(({ account_id }) => account_id === shown) ??
    (id || second ? undefined : first);
  return (
    <>
      <div className={classes.brand}>
        <Brand />
      </div>
      <AccountSwitch accounts={me.accounts} current={account} />
      {account ? <Navigation account={account.account_id} /> : <div className={classes.grow} />}
      <PersonMenu me={me} />
      <About />
    </>
  );
}
