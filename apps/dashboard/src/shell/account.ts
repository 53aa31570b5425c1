import { type Membership, may, type Permission } from '@leadwire/contract/dashboard';
import { createContext, useContext } from 'react';
import { useApi } from '../api/index.ts';

export type CurrentAccount = {
  id: string;
  name: string;
  role: Membership['role'];
  /** Whether the person may do something here; what they may not is not offered. */
  may(permission: Permission): boolean;
};

export const AccountContext = createContext<CurrentAccount | null>(null);

export const currentAccount = ({ account_id, account_name, role }: Membership): CurrentAccount => ({
  id: account_id,
  name: account_name,
  role,
  may: (permission) => may(role, permission),
});

/** The account that the page is about. Only below /a/:account. */
export function useAccount(): CurrentAccount {
  const account = useContext(AccountContext);
  if (!account) throw new Error('useAccount is for pages of an account');
  return account;
}

/** Whoever is signed in, with their accounts. */
export const useMe = () => useApi('getMe', {});

const LAST_ACCOUNT = 'leadwire-last-account';

/** The account that was looked at last in this browser; null where storage is closed or empty. */
export function lastAccount(): string | null {
  try {
    return localStorage.getItem(LAST_ACCOUNT);
  } catch {
    return null;
  }
}

export function rememberAccount(id: string): void {
  try {
    localStorage.setItem(LAST_ACCOUNT, id);
  } catch {
    // Without storage the choice is asked again.
  }
}
