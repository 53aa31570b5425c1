import { AppError } from '../../platform/errors/index.ts';

export const accountNotFound = (reference: string) =>
  new AppError({
    status: 404,
    code: 'not_found',
    message: `There is no account "${reference}". Give the id of an account, or default.`,
  });

export const memberNotFound = () =>
  new AppError({
    status: 404,
    code: 'not_found',
    message: 'The account has no such member (any more).',
  });

export const ownersAreForOwners = () =>
  new AppError({
    status: 403,
    code: 'permission_required:owners.change',
    message: 'Only an owner of the account may make, change or remove owners.',
  });

export const lastOwner = () =>
  new AppError({
    status: 409,
    code: 'last_owner',
    message: 'An account must keep an owner. Make somebody else an owner first.',
  });

/** The same for a link that never was, was used, was withdrawn or is too old. */
export const invitationInvalid = () =>
  new AppError({
    status: 410,
    code: 'link_invalid',
    message: 'This link was used before, was withdrawn or is too old. Ask for a new one.',
  });

export const invitationForAnother = () =>
  new AppError({
    status: 403,
    code: 'invitation_for_another_address',
    message: 'This link is for another email address than yours. Ask for one for your address.',
  });

export const memberAlready = () =>
  new AppError({
    status: 409,
    code: 'member_already',
    message: 'You are a member of this account already. The link can still be used by another.',
  });

export const invitationNotFound = () =>
  new AppError({
    status: 404,
    code: 'not_found',
    message: 'The account has no such open invitation.',
  });
