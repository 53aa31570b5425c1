import type { ApiKey } from '@leadwire/contract/dashboard';
import { AppError, conflict } from '../../platform/errors/index.ts';

const unauthorized = (code: string, message: string, details?: Record<string, unknown>) =>
  new AppError({
    status: 401,
    code,
    message,
    headers: { 'www-authenticate': 'Bearer' },
    ...(details ? { details } : {}),
  });

export const missingAuth = () =>
  unauthorized(
    'missing_auth',
    'Send Authorization: Bearer lwsk_…, or sign the request with the X-Leadwire-* headers.',
  );

export const invalidPublicKey = () =>
  unauthorized(
    'invalid_public_key',
    'X-Leadwire-Public-Key is not a key in use: unknown, malformed, expired or revoked.',
  );

export const invalidBearer = () =>
  unauthorized(
    'invalid_bearer',
    'The Authorization header holds no key in use. It must read: Bearer lwsk_…',
  );

/** What a signer needs to find its mistake. `skew_seconds` is null where the timestamp is no number. */
export type SignatureDetails = {
  server_time: number;
  skew_seconds: number | null;
  string_to_sign: string;
};

export const signatureExpired = (details: SignatureDetails) =>
  unauthorized(
    'signature_expired',
    'X-Leadwire-Timestamp is more than 300 seconds from the time here. Sign each attempt anew; check the clock.',
    details,
  );

export const invalidSignature = (details: SignatureDetails) =>
  unauthorized(
    'invalid_signature',
    'X-Leadwire-Signature is not the signature of this request. `details.string_to_sign` is what the service signs.',
    details,
  );

export const keyNotFound = (publicKey: string) =>
  new AppError({
    status: 404,
    code: 'not_found',
    message: `There is no key in use with the public key ${publicKey}.`,
  });

export const keyLimitReached = (limit: number) =>
  new AppError({
    status: 409,
    code: 'key_limit_reached',
    message: `The account has ${limit} keys that work, as many as it may. Revoke one that is no longer needed.`,
  });

/** Why a key cannot be rotated; null where nothing about it speaks against. */
export function notInUse(key: ApiKey): AppError | null {
  if (key.replaced_by) {
    return conflict('This key was rotated already. Rotate the key that replaced it.');
  }
  if (key.state === 'revoked') return conflict('This key is revoked. Create a new key.');
  if (key.state === 'expired') return conflict('This key has expired. Create a new key.');
  return null;
}
