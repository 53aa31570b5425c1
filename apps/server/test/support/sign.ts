import { createHash, createHmac } from 'node:crypto';

export type Credentials = { public_key: string; secret_key: string };

type Signed = {
  method: string;
  /** Path and query exactly as sent. */
  target: string;
  body?: string | Buffer | undefined;
  /** Unix seconds; default: now. */
  timestamp?: number | string | undefined;
};

/** The five lines that are signed: timestamp, METHOD, path, raw query, hex SHA-256 of the raw body. */
export function stringToSign({ method, target, body = '', timestamp }: Signed): string {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark + 1);
  const hash = createHash('sha256').update(body).digest('hex');
  return [timestamp ?? unixNow(), method, path, query, hash].join('\n');
}

/** The three headers of HMAC authentication. */
export function sign(key: Credentials, signed: Signed): Record<string, string> {
  const timestamp = signed.timestamp ?? unixNow();
  const text = stringToSign({ ...signed, timestamp });
  return {
    'x-leadwire-public-key': key.public_key,
    'x-leadwire-timestamp': String(timestamp),
    'x-leadwire-signature': createHmac('sha256', key.secret_key).update(text).digest('hex'),
  };
}

const unixNow = () => Math.floor(Date.now() / 1000);
