import { WriteQuery } from '@leadwire/contract';
import { invalid } from '../../platform/errors/index.ts';
import { createQueryReader } from '../../platform/validation/query.ts';

const readQuery = createQueryReader<WriteQuery>(WriteQuery);

/** What people write who mean validate_only, letters alone. */
const MEANT = new Set(['validateonly', 'onlyvalidate', 'validate', 'dryrun', 'dryrunonly']);
const MAX_NAME_SHOWN = 64;

/**
 * Whether a post asks for nothing to be written. Other parameters are passed over, as no lead is turned away for one; not those
 * that are plainly meant as this one, since the lead would be written.
 * @throws AppError 400 for another value than true or false, or another spelling of the name
 */
export function readValidateOnly(query: unknown): boolean {
  const names = Object.keys(query as object);
  if (names.length === 0) return false;
  const misspelt = names.find((name) => name !== 'validate_only' && isMeant(name));
  if (misspelt !== undefined) throw unknownName(misspelt, 'write validate_only=true');
  return readQuery(query).validate_only === 'true';
}

/** For a write that has no such thing. @throws AppError 400 where it is asked for in any spelling: the lead would be written. */
export function refuseValidateOnly(query: unknown): void {
  const asked = Object.keys(query as object).find(isMeant);
  if (asked !== undefined) throw unknownName(asked, 'this request is always carried out');
}

const isMeant = (name: string): boolean => MEANT.has(name.toLowerCase().replace(/[^a-z]/g, ''));

function unknownName(name: string, hint: string) {
  const path = name.replace(/[^\w-]/g, '').slice(0, MAX_NAME_SHOWN);
  const message = `${path} is not a known parameter: ${hint}`;
  return invalid([{ path, code: 'unknown_field', message }]);
}
