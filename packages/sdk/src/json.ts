import { LeadwireError } from './errors.ts';

/**
 * JSON of what is to be sent; undefined where it has none, e.g. of undefined itself.
 * @throws LeadwireError `invalid_body` that names what cannot be written: with a BigInt, or a circle, in it
 */
export function jsonOf(value: unknown, name: string): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new LeadwireError(`${name} cannot be written as JSON: ${reason}`, {
      code: 'invalid_body',
      cause,
    });
  }
}
