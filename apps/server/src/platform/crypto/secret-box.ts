import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

export type SecretBox = {
  /** Encrypts with the first key; `context` (an id) is authenticated, so that a box can't be moved to another row. */
  seal(plaintext: string, context: string): string;
  /** @throws Error where no key fits or the box was tampered with. */
  open(sealed: string, context: string): string;
};

const VERSION = 'v1';

/**
 * AES-256-GCM with the id of the key stored in the box: `v1.<key id>.<nonce>.<tag>.<ciphertext>`, so that keys
 * can be rotated: the first of `keys` (32 bytes each) seals, all of them open.
 */
export function createSecretBox(keys: Buffer[]): SecretBox {
  const [first] = keys;
  if (!first) throw new Error('An encryption key is needed.');
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]));
  const firstId = keyIdOf(first);
  return {
    seal(plaintext, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', first, nonce).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      const parts = [nonce, cipher.getAuthTag(), ciphertext];
      return [VERSION, firstId, ...parts.map((part) => part.toString('base64url'))].join('.');
    },
    open(sealed, context) {
      const [version, id = '', ...parts] = sealed.split('.');
      const key = byId.get(id);
      if (version !== VERSION || !key || parts.length !== 3) {
        throw new Error(`No encryption key "${id}" is configured; it sealed a stored secret.`);
      }
      const [nonce, tag, ciphertext] = parts.map((part) => Buffer.from(part, 'base64url')) as [
        Buffer,
        Buffer,
        Buffer,
      ];
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
    },
  };
}

/** Tells keys apart and tells nothing else of them; it stands in each box that `key` seals. */
export function keyIdOf(key: Buffer): string {
  return createHash('sha256').update('leadwire key id').update(key).digest('hex').slice(0, 8);
}
