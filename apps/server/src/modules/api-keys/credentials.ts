import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials } from './verify.ts';

/**
 * What a request brings to prove who sends it. Any of the three X-Leadwire headers selects HMAC, where the route takes it.
 * @returns null where it brings nothing.
 */
export function readCredentials(
  headers: IncomingHttpHeaders,
  options: { hmac: boolean },
): Credentials | null {
  const publicKey = headers['x-leadwire-public-key'];
  const timestamp = headers['x-leadwire-timestamp'];
  const signature = headers['x-leadwire-signature'];
  const isSigned = publicKey !== undefined || timestamp !== undefined || signature !== undefined;
  if (options.hmac && isSigned) {
    return {
      scheme: 'hmac',
      publicKey: String(publicKey ?? ''),
      timestamp: String(timestamp ?? ''),
      signature: String(signature ?? ''),
    };
  }
  const authorization = headers.authorization;
  if (authorization === undefined) return null;
  const [, secret = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
  return { scheme: 'bearer', secret };
}
