import type { DashboardApi } from '@leadwire/contract/dashboard';
import type { RequestParts } from './parse.ts';

/** What the form holds; named as the API names it, so that refusals find their fields. */
export type CheckValues = {
  method: string;
  target: string;
  public_key: string;
  timestamp: string;
  signature: string;
  body: string;
  string_to_sign: string;
};

export const EMPTY: CheckValues = {
  method: 'POST',
  target: '/api/v1/insertion/leads',
  ...{ public_key: '', timestamp: '', signature: '', body: '', string_to_sign: '' },
};

export const FIELDS: readonly string[] = Object.keys(EMPTY);

export function toBody(values: CheckValues): DashboardApi['checkSignature']['body'] {
  const { string_to_sign: signed, ...others } = values;
  return {
    ...others,
    method: values.method.trim(),
    target: values.target.trim(),
    ...(signed === '' ? {} : { string_to_sign: signed }),
  };
}

/** What a person should know about what they pasted; null where nothing is amiss. */
export function noteOn(text: string, parts: RequestParts | null): string | null {
  if (!parts) {
    return 'This is neither a curl command nor an HTTP request. Fill in the fields below by hand.';
  }
  if (Object.values(parts).some((part) => /\$[A-Za-z_({]/.test(part))) {
    return 'The command has shell variables. Enter what they held: curl -v shows the headers as they were sent.';
  }
  if (/(?:-d|--data(?:-binary|-ascii)?|--json)[ =]?['"]?@/.test(text)) {
    return 'The body comes from a file. Paste its text into Body below.';
  }
  const { publicKey, timestamp, signature } = parts;
  if (publicKey && timestamp && signature) return null;
  return 'Not all of the three X-Leadwire headers are there. Fill in what is missing below.';
}
