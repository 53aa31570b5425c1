import { COMMON_PASSWORDS } from './common-passwords.ts';
import { passwordRefused } from './errors.ts';

export const PASSWORD_LENGTH = { min: 12, max: 128 };

/**
 * Length counts, kinds of characters do not (NIST SP 800-63B section 3.1.1.2).
 * @param path the field of the request that it came in. @throws AppError 400
 */
export function checkPassword(
  password: string,
  { name, email }: { name: string; email: string },
  path: string,
): void {
  const reason = weakness(password.toLowerCase(), name.toLowerCase(), email.toLowerCase());
  if (reason) throw passwordRefused(path, reason);
}

function weakness(password: string, name: string, email: string): string | null {
  const { min, max } = PASSWORD_LENGTH;
  if (password.length < min) return `must have at least ${min} characters`;
  if (password.length > max) return `must have at most ${max} characters`;
  const [mailbox = ''] = email.split('@');
  const own = [email, mailbox, name, name.replaceAll(/\s/g, '')].filter((text) => text.length > 3);
  if (own.some((text) => isMostly(password, text))) {
    return 'must not be your name or your email address';
  }
  const isPlain = COMMON_PASSWORDS.has(password) || new Set(password).size < 4 || isRow(password);
  return isPlain ? 'is one of those that are tried first: choose another' : null;
}

/** The text, with at most a few characters around it. */
const isMostly = (password: string, text: string): boolean =>
  password.includes(text) && password.length - text.length < 6;

/** Each character follows the one before: 1234…, abcd…, and backwards. */
function isRow(password: string): boolean {
  const steps = [...password].map((char, i) => char.charCodeAt(0) - password.charCodeAt(i - 1));
  const even = steps.slice(1).filter((step) => step === 1 || step === -1 || step === -9);
  return even.length >= password.length - 2;
}
