import { LeadwireError } from './errors.ts';

/** URL parsers swallow these, percent-encoded ones too. */
export const isSwallowed = (segment: string): boolean => segment === '.' || segment === '..';

/**
 * One segment of a path, percent-encoded.
 * @throws LeadwireError `invalid_id` where nothing can be asked for with it
 */
export function segment(id: string): string {
  if (typeof id !== 'string' || id === '' || isSwallowed(id)) {
    throw invalidId(`${JSON.stringify(id)} is no id`);
  }
  try {
    return encodeURIComponent(id);
  } catch {
    throw invalidId('An id must not hold an unpaired surrogate');
  }
}

const invalidId = (message: string) => new LeadwireError(message, { code: 'invalid_id' });
