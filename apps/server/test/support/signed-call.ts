import type { CallOptions } from './call.ts';
import type { TestServer } from './server.ts';
import { type Credentials, sign } from './sign.ts';

type Signed = { method?: string; target?: string; body?: string; timestamp?: number | string };
type Sent = {
  method?: string;
  target?: string;
  body?: string;
  headers?: CallOptions['headers'];
};

/** A call whose headers were signed for something else than what is sent; by default GET `defaultTarget` for both. */
export const createSignedCall =
  (server: TestServer, key: Credentials, defaultTarget: string) =>
  (signed: Signed, sent: Sent = {}) => {
    const { method = 'GET', target = defaultTarget, body } = signed;
    const headers = { ...sign(key, { ...signed, method, target }), ...sent.headers };
    const sentBody = sent.body ?? body;
    return server.call(sent.method ?? method, sent.target ?? target, {
      headers,
      ...(sentBody === undefined ? {} : { body: sentBody }),
    });
  };
