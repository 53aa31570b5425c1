import { normalizeTimestamp } from '../../platform/clock/index.ts';
import { type FieldError, invalid } from '../../platform/errors/index.ts';
import { isStorable, NOT_STORABLE } from '../../platform/validation/index.ts';

/**
 * What the schema of a new key cannot say. @param now ISO 8601 in UTC with six decimals
 * @returns the name without spaces around it and the expiry in the same form
 * @throws AppError 400 with the summary of what is wrong
 */
export function readNewKey(
  input: { name: string; expires_at?: string | undefined },
  now: string,
): { name: string; expiresAt?: string } {
  const errors: FieldError[] = [];
  const add = (path: string, code: string, text: string) =>
    errors.push({ path, code, message: `${path} ${text}` });
  const name = input.name.trim();
  if (name === '') add('name', 'empty', 'must not be empty');
  if (!isStorable(name)) add('name', 'invalid_characters', NOT_STORABLE);
  const expiresAt = input.expires_at === undefined ? null : normalizeTimestamp(input.expires_at);
  if (expiresAt !== null && expiresAt <= now) {
    add('expires_at', 'range', 'must be in the future');
  }
  if (errors.length > 0) throw invalid(errors);
  return { name, ...(expiresAt === null ? {} : { expiresAt }) };
}
