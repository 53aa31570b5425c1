import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6;
const TOKEN = /^[a-z]+_([0-9A-Za-z]+)$/;

/**
 * A random token `<prefix>_<base62><checksum>`. The checksum is the CRC-32 of all before it, so that secret scanners, and this
 * service before it asks its store, can tell a real token from a look-alike
 * (the form that GitHub describes in "Behind GitHub's new authentication token formats").
 */
export function createToken(
  prefix: string,
  length: number,
  randomBytes: (size: number) => Buffer,
): string {
  let text = `${prefix}_`;
  while (text.length < prefix.length + 1 + length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte: what lies above would favour some letters.
      if (byte < 248 && text.length < prefix.length + 1 + length) text += ALPHABET[byte % 62];
    }
  }
  return text + checksum(text);
}

/** True where `token` has the prefix, the form and a right checksum; says nothing about whether it was ever issued. */
export function isWellFormedToken(token: string, prefix: string): boolean {
  if (token.length > 128 || !token.startsWith(`${prefix}_`) || !TOKEN.test(token)) return false;
  const split = token.length - CHECKSUM_LENGTH;
  return split > prefix.length + 1 && token.slice(split) === checksum(token.slice(0, split));
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
