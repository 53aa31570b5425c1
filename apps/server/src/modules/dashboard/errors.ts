import type { Permission, Role } from '@leadwire/contract/dashboard';
import { AppError } from '../../platform/errors/index.ts';

export const sessionRequired = () =>
  new AppError({ status: 401, code: 'session_required', message: 'Sign in first.' });

export const roleForbids = (role: Role, permission: Permission) =>
  new AppError({
    status: 403,
    code: `permission_required:${permission}`,
    message: `Your role in this account, ${role}, does not allow this. An owner of the account can change your role.`,
  });

export const crossSiteRefused = () =>
  new AppError({
    status: 403,
    code: 'cross_site_refused',
    message: 'Changes are taken from the dashboard of this service alone, not from another site.',
  });
