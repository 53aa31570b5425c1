import { InvalidArgumentError, Option } from 'commander';
import { ConfigError } from '../platform/config/index.ts';
import { checkTargetUrl } from '../platform/outbound/index.ts';
import { EndedWith } from './ended.ts';

/** Options of commands that need no store, only the API of a service. */

/** @param scope what the key is used for */
export const keyOption = (scope: string) =>
  new Option('--key <lwsk_…>', `the secret key of an API key with the scope ${scope}`)
    .env('LEADWIRE_KEY')
    .argParser(secretKey)
    .makeOptionMandatory();

export const urlOption = () =>
  new Option('--url <url>', 'where Leadwire is')
    .argParser(httpUrl)
    .default('http://127.0.0.1:3000');

function secretKey(value: string): string {
  if (/^lwsk_\w+$/.test(value)) return value;
  throw refusedSecret(
    '--key, or LEADWIRE_KEY: give the secret key of an API key and nothing else: it begins with lwsk_.',
  );
}

/** For a secret that is none: an InvalidArgumentError would print it, into logs of CI, too. */
export const refusedSecret = (sentence: string) => new EndedWith(2, new ConfigError(sentence));

export function httpUrl(value: string): string {
  const refusal = checkTargetUrl(value, { allowPrivate: true });
  if (refusal) throw new InvalidArgumentError(`It ${refusal}, e.g. http://localhost:4000/hook.`);
  return value;
}
