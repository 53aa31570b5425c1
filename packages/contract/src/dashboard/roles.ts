/** Who a person is in an account; each may do what the one after it may, and more. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

const viewer = [
  'account.read',
  'members.read',
  'overview.read',
  'leads.read',
  'campaigns.read',
  'keys.read',
  'webhooks.read',
  'forms.read',
  'imports.read',
] as const;
const member = [...viewer, 'leads.edit', 'leads.export', 'imports.run', 'deliveries.send'] as const;
const admin = [
  ...member,
  'leads.erase',
  'campaigns.change',
  'forms.change',
  'keys.change',
  'webhooks.change',
  'members.change',
  'settings.change',
] as const;
const owner = [...admin, 'owners.change'] as const;

export type Permission = (typeof owner)[number];

/** What each role may do: the one table that the server checks and the page reads. */
export const PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer,
  member,
  admin,
  owner,
};

export const may = (role: Role, permission: Permission): boolean =>
  PERMISSIONS[role].includes(permission);
