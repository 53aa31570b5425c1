import type { FormField } from '@leadwire/contract/dashboard';
import type { FieldError } from '../../../platform/errors/index.ts';

/** A form as those who send to it need it. */
export type PublicForm = {
  accountId: string;
  /** UUID; `form_…` is its public id. */
  id: string;
  name: string;
  campaignId: number;
  keyId: string;
  fields: readonly FormField[];
  consent: { version: number; required: boolean } | null;
  /** The text of every version that the form ever had: a page may still show an earlier one. */
  consentTexts: ReadonlyMap<number, string>;
  minFillSeconds: number;
  allowedOrigins: readonly string[];
  redirectUrl: string | null;
  source: string | null;
  defaultCountry: string | null;
  perAddressAMinute: number;
  /** SHA-256 of the key that Google Ads sends; null where there is none. */
  googleKeyHash: Buffer | null;
};

/** What became of one submission, for the form's own log. */
export type SubmissionNote = {
  /** `form`, or the name of a platform. */
  via: string;
  outcome: 'inserted' | 'patched' | 'deduped' | 'refused' | 'test';
  requestId: string;
  leadId?: string;
  refusal?: { code: string; message: string; fields: readonly FieldError[] };
  /** Of a test, the lead that it would have made. */
  test?: Record<string, unknown>;
};

/** What the public path needs of forms. */
export type PublicForms = {
  /**
   * Null for an id of no form, and for one that is switched off. A form is remembered for less than a second, so that switching
   * off works on every node within one.
   */
  find(publicId: string): Promise<PublicForm | null>;
  /** Gathers, and writes once a second: it costs a submission nothing. */
  note(form: PublicForm, note: SubmissionNote): void;
};
