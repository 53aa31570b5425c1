import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Secrets for one use, derived from the encryption keys of the service: the first signs. */
export type SigningSecrets = { version: number; value: string }[];

/** HKDF-SHA256 (RFC 5869); `version` tells which key a stored box was made with, and stays when keys are added before it. */
export function deriveSecrets(encryptionKeys: Buffer[], use: string): SigningSecrets {
  return encryptionKeys.map((key) => {
    const bytes = (info: string, size: number) =>
      Buffer.from(hkdfSync('sha256', key, '', `leadwire ${use}${info}`, size));
    return {
      version: bytes(' version', 4).readUInt32BE(),
      value: bytes('', 32).toString('base64url'),
    };
  });
}

/** HMAC-SHA256 in base64, as the signed cookies of better-auth have it. */
export const signature = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64');

export function isSignature(secret: string, text: string, given: string): boolean {
  const right = Buffer.from(signature(secret, text));
  const other = Buffer.from(given);
  return right.length === other.length && timingSafeEqual(right, other);
}
