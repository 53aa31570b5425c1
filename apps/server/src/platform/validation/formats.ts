import { FORM_TARGETS } from '@leadwire/contract/dashboard';
import { normalizePhone } from '@leadwire/contract/stored';
import { isSupportedCountry } from 'libphonenumber-js/max';
import isEmail from 'validator/lib/isEmail.js';
import { normalizeTimestamp } from '../clock/index.ts';
import { isUuid } from '../ids/index.ts';

/** What each format of our schemas asks of a string, and how a failure is worded after the name of the field. */
export const FORMATS: Record<string, { test: (text: string) => boolean; message: string }> = {
  phone: {
    test: (text) => normalizePhone(text) !== null,
    message: 'must be in international format with a leading plus sign',
  },
  // isEmail throws on half a character.
  email: {
    test: (text) => isPlainEmail(text) || (text.isWellFormed() && isEmail.default(text)),
    message: 'must be a valid email address',
  },
  'http-url': { test: isHttpUrl, message: 'must be an absolute http or https URL' },
  timestamp: {
    test: (text) => normalizeTimestamp(text) !== null,
    message: 'must be an ISO 8601 time with an offset or Z',
  },
  'no-control-characters': {
    test: (text) => !/\p{Cc}/u.test(text),
    message: 'must not contain control characters',
  },
  uuid: { test: isUuid, message: 'must be a UUID' },
  country: {
    test: (text) => isSupportedCountry(text),
    message: 'must be the two capital letters of a country, as in ISO 3166-1',
  },
  'time-zone': { test: isTimeZone, message: 'must be a time zone such as Europe/Berlin' },
  // RFC 6454 section 6.2, as browsers send it.
  origin: {
    test: (text) => isHttpUrl(text) && new URL(text).origin === text,
    message: 'must be an origin such as https://shop.example, without a path',
  },
  'form-input': {
    test: (text) => !/^_|\p{Cc}/u.test(text),
    message: 'must not begin with _ or contain control characters',
  },
  'form-target': {
    test: (text) => (FORM_TARGETS as readonly string[]).includes(text) || isCustomField(text),
    message: `must be ${FORM_TARGETS.join(', ')} or custom_fields.<name>`,
  },
  'content-hash': {
    test: (text) => /^[0-9a-f]{64}$/.test(text),
    message: 'must be a SHA-256 as 64 lower-case hex digits',
  },
  'campaign-id': { test: isInt32Id, message: 'must be an integer from 1 to 2147483647' },
};

const PLAIN_EMAIL =
  /^[a-z0-9]+(?:[._+-][a-z0-9]+)*@(?:[a-z0-9]{1,31}(?:-[a-z0-9]{1,31})?\.)+[a-z]{2,24}$/i;

/** What nearly every address looks like. The library takes all of these too; asking it costs 3 % of a post. */
const isPlainEmail = (text: string): boolean => text.length <= 64 && PLAIN_EMAIL.test(text);

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text);
}

const isCustomField = (text: string): boolean => /^custom_fields\.[^\p{Cc}]{1,100}$/u.test(text);

function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

function isInt32Id(text: string): boolean {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647;
}
