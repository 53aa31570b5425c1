const encoder = new TextEncoder();

/** What a signature covers. */
export type Signed = {
  method: string;
  /** As sent, percent-encoding included. */
  path: string;
  /** As sent, without the question mark; empty where there is none. */
  query: string;
  /** Empty where there is none. */
  body: string;
  /** Unix seconds. */
  timestamp: number;
};

/** The headers that sign a request. */
export type Sign = (request: Signed) => Promise<Record<string, string>>;

/** The five lines that are signed (contract, section 5). */
export async function stringToSign(request: Signed): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(request.body));
  return [request.timestamp, request.method, request.path, request.query, hexOf(digest)].join('\n');
}

/** Signs with a key; its secret is prepared once. */
export function createSigner({
  publicKey,
  secretKey,
}: {
  publicKey: string;
  secretKey: string;
}): Sign {
  let imported: ReturnType<typeof importKey> | undefined;
  return async (request) => {
    imported ??= importKey(secretKey);
    const text = await stringToSign(request);
    const signature = await crypto.subtle.sign('HMAC', await imported, encoder.encode(text));
    return {
      'x-leadwire-public-key': publicKey,
      'x-leadwire-timestamp': String(request.timestamp),
      'x-leadwire-signature': hexOf(signature),
    };
  };
}

const importKey = (secret: string) =>
  crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);

/** Lower-case hex. */
export const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
