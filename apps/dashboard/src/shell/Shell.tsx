import { Burger, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { AccountSwitch } from './AccountSwitch.tsx';
import { lastAccount, useMe } from './account.ts';
import { Brand } from './Brand.tsx';
import { Navigation } from './Navigation.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import classes from './shell.module.css';

/** Around every page of somebody who is signed in. */
export function Shell() {
  const [isOpen, menu] = useDisclosure(false);
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
          <Outlet />
        </div>
      </main>
    </div>
  );
}

function Side() {
  const { data: me } = useMe();
  const { account: id } = useParams({ strict: false });
  // Beside a page that is of no account, the way back to the last one.
  const shown = id ?? lastAccount();
  const account = me?.accounts.find(({ account_id }) => account_id === shown);
  if (!me) return null;
  return (
    <>
      <div className={classes.brand}>
        <Brand />
      </div>
      <AccountSwitch accounts={me.accounts} current={account} />
      {account ? <Navigation account={account.account_id} /> : <div className={classes.grow} />}
      <PersonMenu me={me} />
    </>
  );
}
