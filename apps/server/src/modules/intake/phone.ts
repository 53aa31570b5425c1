import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { normalizePhone } from '../../platform/validation/index.ts';

export type ReadPhone = { phone: string; byDefaultCountry: boolean };

// As spreadsheets and exports of Meta's lead ads write it before the number.
const LABEL = /^\s*(?:tel|p):\s*/i;
/** +49 (0)30 …: the zero is that of calls within the country, which most countries leave out after the plus sign. */
const ZERO_IN_BRACKETS = /^\s*\+[\d\s.-]*\(0\)/;

/**
 * A phone number as people write it, in E.164. One with a plus sign is read as everywhere else; any other one only as a number of
 * `defaultCountry` (ISO 3166-1 alpha-2), which a person has chosen: without it, or where the country has no such number, null.
 */
export function readPhone(written: string, defaultCountry: string | null): ReadPhone | null {
  const text = written.replace(LABEL, '');
  if (ZERO_IN_BRACKETS.test(text)) return parsed(text, null);
  const international = normalizePhone(text);
  if (international) return { phone: international, byDefaultCountry: false };
  if (defaultCountry === null || text.trim().startsWith('+')) return null;
  return parsed(text, defaultCountry as CountryCode);
}

function parsed(text: string, defaultCountry: CountryCode | null): ReadPhone | null {
  const options = { ...(defaultCountry && { defaultCountry }), extract: false };
  const number = parsePhoneNumberFromString(text, options);
  if (!number?.isValid() || number.ext) return null;
  return { phone: number.number, byDefaultCountry: defaultCountry !== null };
}
