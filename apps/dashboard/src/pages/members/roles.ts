import { ROLES, type Role } from '@leadwire/contract/dashboard';
import type { CurrentAccount } from '../../shell/account.ts';

/** What a role is for, in a line. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: 'Everything, other owners included',
  admin: 'Keys, webhooks, campaigns, members, settings; erases leads',
  member: 'Edits leads, sends deliveries again',
  viewer: 'Looks at everything, changes nothing',
};

/** The roles that somebody may give: owners alone make owners. */
export const rolesToGive = (account: CurrentAccount): Role[] =>
  ROLES.filter((role) => role !== 'owner' || account.may('owners.change'));

export const roleOptions = (account: CurrentAccount) =>
  rolesToGive(account).map((value) => ({ value, label: `${value}: ${ROLE_WORDS[value]}` }));
