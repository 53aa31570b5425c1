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

export const anotherPerson = () =>
  new AppError({
    status: 409,
    code: 'another_person',
    message:
      'Somebody else has signed in with this browser meanwhile. Nothing was changed; load the page again.',
  });

export const crossSiteRefused = () =>
  new AppError({
    status: 403,
    code: 'cross_site_refused',
    message: 'Changes are taken from the dashboard of this service alone, not from another site.',
  });

/** @param what and its verb: `Webhooks are` */
export const featureIsOff = (what: string) =>
  new AppError({
    status: 404,
    code: 'feature_off',
    message: `${what} switched off, for this account or for the whole installation. An admin of the account sees which under Settings.`,
  });
