import type { LeadInput } from '@leadwire/contract';
import {
  type ContentField,
  createClient,
  LeadwireError,
  NetworkError,
  NotFoundError,
} from '@leadwire/sdk';
import { ConfigError } from '../../platform/config/index.ts';
import type { Ask } from './compare.ts';

/**
 * Asks the service of `url` by its client, which tries again as the rules for clients say.
 * @throws ConfigError with what a person can do about it
 */
export function createAsk({ url, key }: { url: string; key: string }, signal: AbortSignal): Ask {
  const inWords = (error: unknown): never => {
    if (!(error instanceof LeadwireError)) throw error;
    throw new ConfigError(sentenceOf(error, url), { cause: error });
  };
  const leads = leadsOf(url, key, inWords);
  return (rows: readonly LeadInput[], fields: readonly ContentField[]) =>
    leads.reconcile(rows, { fields, signal }).catch(inWords);
}

function leadsOf(baseUrl: string, secretKey: string, inWords: (error: unknown) => never) {
  try {
    return createClient({ baseUrl, secretKey, auth: 'bearer' }).leads;
  } catch (error) {
    return inWords(error);
  }
}

function sentenceOf(error: LeadwireError, url: string): string {
  const { status, code, message, requestId } = error;
  if (code === 'invalid_option') return `--url: ${message}.`;
  if (error instanceof NetworkError) {
    return `${url} does not answer (${message}), asked ${error.attempts} times. Say where Leadwire is with --url.`;
  }
  if (error instanceof NotFoundError) {
    return `Nothing at ${url} compares leads: the feature insertion is switched off, or it is another program. Say where Leadwire is with --url.`;
  }
  if (status === 401) {
    return `The server at ${url} does not accept the key. Take the secret key, lwsk_…, of a key that is neither revoked nor expired.`;
  }
  if (status === 403) return 'The key needs the scope leads:read.';
  const request = requestId ? `, request ${requestId}` : '';
  return `The server at ${url} could not be asked (${code}${request}): ${message}`;
}
