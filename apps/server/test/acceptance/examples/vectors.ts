import { readFileSync } from 'node:fs';

const FILE = new URL('../../../../../packages/contract/vectors/signing.json', import.meta.url);

export type SigningVector = {
  name: string;
  secret_key: string;
  timestamp: string;
  method: string;
  /** Path and query exactly as sent. */
  target: string;
  body: string;
  string_to_sign: string;
  signature: string;
};

/** Requests and their signatures, as partners get them. */
export const signingVectors: SigningVector[] = JSON.parse(readFileSync(FILE, 'utf8')).vectors;

/** Path and query as the five lines want them. */
export function partsOf(target: string): { path: string; query: string } {
  const [path = '', ...query] = target.split('?');
  return { path, query: query.join('?') };
}
