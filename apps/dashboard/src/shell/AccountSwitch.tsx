import type { Membership } from '@leadwire/contract/dashboard';
import { Menu, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Check, ChevronsUpDown } from 'lucide-react';
import classes from './shell.module.css';

type Props = { accounts: readonly Membership[]; current: Membership | undefined };

/** Names the account; a menu where there are several. */
export function AccountSwitch({ accounts, current }: Props) {
  const label = current?.account_name ?? 'Choose an account';
  const isAlone = accounts.length === 0 || (accounts.length === 1 && current !== undefined);
  if (isAlone) {
    return current ? (
      <p className={classes.account} title={label}>
        <span className={classes.cut}>{label}</span>
      </p>
    ) : null;
  }
  return (
    <Menu
      position="bottom-start"
      width={236}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <UnstyledButton
          className={classes.account}
          aria-description="Another account"
          title={label}
        >
          <span className={classes.cut}>{label}</span>
          <ChevronsUpDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {accounts.map(({ account_id, account_name, role }, index) => (
          <Menu.Item
            key={account_id}
            data-autofocus={index === 0 || undefined}
            renderRoot={(props) => (
              <Link to="/a/$account/overview" params={{ account: account_id }} {...props} />
            )}
            rightSection={
              account_id === current?.account_id ? <Check size={14} aria-label="shown now" /> : null
            }
          >
            <span className={classes.choice}>
              {account_name}
              <small>{role}</small>
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
