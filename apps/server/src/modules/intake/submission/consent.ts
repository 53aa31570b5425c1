import type { FieldError } from '../../../platform/errors/index.ts';
import type { PublicForm } from '../forms/form.ts';
import { fieldError } from './errors.ts';
import { OWN } from './own-inputs.ts';

/** What a person said to which text; null where they were not asked. */
export type Consent = { given: boolean; version: number; text: string };

export type ReadConsent = { consent: Consent | null; error: FieldError | null };

/** A checkbox that is not ticked is not sent; these are what scripts send for one. */
const NOT_GIVEN = new Set(['', 'false', '0', 'off', 'no']);

/** What the input `_consent` says. */
export const isTicked = (sent: string | undefined): boolean =>
  !NOT_GIVEN.has((sent ?? '').trim().toLowerCase());

/**
 * Reads the box and the version of the text beside it. A page may show an earlier text than the form has now: what counts is the one
 * that the person saw.
 */
export function readConsent(
  form: PublicForm,
  own: (name: string) => string | undefined,
): ReadConsent {
  const given = isTicked(own(OWN.consent));
  const sent = own(OWN.consentVersion);
  const version = sent !== undefined && /^[1-9]\d{0,9}$/.test(sent) ? Number(sent) : null;
  const text = version === null ? undefined : form.consentTexts.get(version);
  if (version !== null && text !== undefined) {
    const error = !given && form.consent?.required ? required() : null;
    return { consent: { given, version, text }, error };
  }
  // Without a text there is nothing that somebody could have agreed to.
  if (form.consent === null) return { consent: null, error: null };
  if (given)
    return { consent: null, error: sent === undefined ? versionRequired() : unknownVersion() };
  return { consent: null, error: form.consent.required ? required() : null };
}

const required = () =>
  fieldError(OWN.consent, 'required', 'Consent is required: please read the text and tick the box');

const versionRequired = () =>
  fieldError(
    OWN.consentVersion,
    'required',
    `${OWN.consentVersion} is required: the version of the text that was agreed to`,
  );

const unknownVersion = () =>
  fieldError(
    OWN.consentVersion,
    'format',
    'The text beside the box is none of this form: please load the page again and read it',
  );
