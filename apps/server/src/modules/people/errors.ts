import { AppError, invalid } from '../../platform/errors/index.ts';

/** The same for an unknown address and a wrong password. */
export const signInRefused = () =>
  new AppError({
    status: 401,
    code: 'sign_in_refused',
    message: 'The email address or the password is not right.',
  });

export const tooManyTries = (seconds: number) =>
  new AppError({
    status: 429,
    code: 'too_many_tries',
    message: `There were too many failed tries. Wait ${minutes(seconds)}, then try again.`,
    headers: { 'retry-after': String(seconds) },
  });

const minutes = (seconds: number): string => {
  const count = Math.ceil(seconds / 60);
  return count === 1 ? 'a minute' : `${count} minutes`;
};

export const busy = () =>
  new AppError({
    // No 503: nothing is broken here, and a flood of them must not fill the log with failures.
    status: 429,
    code: 'busy',
    message: 'Too many people sign in at this moment. Try again.',
    headers: { 'retry-after': '2' },
  });

export const codeRefused = () =>
  new AppError({
    status: 401,
    code: 'code_refused',
    message: 'The code is not right, or it was used before. Wait for the next one.',
  });

export const signInAgain = () =>
  new AppError({
    status: 401,
    code: 'sign_in_again',
    message: 'The sign-in took too long or had too many wrong codes. Begin again.',
  });

export const passwordWrong = () =>
  new AppError({
    status: 403,
    code: 'password_wrong',
    message: 'Your current password is not right.',
  });

export const passwordRefused = (path: string, reason: string) =>
  invalid([{ path, code: 'password', message: `${path} ${reason}` }]);

export const addressRefused = () =>
  invalid([{ path: 'email', code: 'format', message: 'email must be a valid email address' }]);

export const addressNotInvited = () =>
  new AppError({
    status: 403,
    code: 'invitation_for_another_address',
    message: 'This link is for another email address. Use the one that was invited.',
  });

export const resetLinkInvalid = () =>
  new AppError({
    status: 410,
    code: 'link_invalid',
    message: 'This link was used before or is too old. Ask for a new one.',
  });

/** For who holds a valid invitation alone. */
export const signInFirst = () =>
  new AppError({
    status: 409,
    code: 'sign_in_first',
    message: 'There is a person with this address. Sign in, then open the link again to join.',
  });

export const secondFactorIsOn = () =>
  new AppError({
    status: 409,
    code: 'second_factor_is_on',
    message: 'The second factor is on already. Switch it off first to set up another one.',
  });

export const secondFactorNotBegun = () =>
  new AppError({
    status: 409,
    code: 'second_factor_not_begun',
    message: 'Begin to set up the second factor first.',
  });

export const personUnknown = () =>
  new AppError({
    status: 404,
    code: 'not_found',
    message: 'There is no person with this address.',
  });
