import assert from 'node:assert/strict';
import type { Answer, CallOptions } from '../../support/call.ts';
import { type Json, type SeededKey, sign, type TestServer } from '../../support/index.ts';
import type { Operation } from './document.ts';
import type { Checks } from './properties-check.ts';
import type { Known } from './properties-known.ts';
import type { Caller, Nth, Request } from './properties-requests.ts';

type Deps = {
  server: TestServer;
  known: Known;
  checks: Checks;
  keys: Record<Exclude<Caller, 'signed' | 'nobody'>, SeededKey>;
};

/** Statuses that were seen, by operation. */
export type Tally = Map<string, Map<number, number>>;

/** Sends generated requests, checks the answers and learns from them. */
export function createSender({ server, known, checks, keys }: Deps, tally: Tally) {
  const drawn = (value: string | Nth, name: string, { operation }: Operation) =>
    typeof value === 'string' ? value : known.value(name, operation.operationId, value.nth);

  function targetOf(operation: Operation, { path, query, rawQuery }: Request): string {
    const ids = 'nth' in path ? known.ids(operation.path, path.nth) : undefined;
    const address = operation.path.replace(/\{(\w+)\}/g, (_, name) => {
      if ('raw' in path) return path.raw;
      return encodeURIComponent('text' in path ? path.text : (ids?.[name] ?? 'nobody'));
    });
    const pairs = query.flatMap(([name, value]) => {
      const text = drawn(value, name, operation);
      return text === undefined ? [] : [`${name}=${encodeURIComponent(text.toWellFormed())}`];
    });
    const text = pairs.join('&') + rawQuery;
    return text ? `${address}?${text}` : address;
  }

  function optionsOf(operation: Operation, target: string, request: Request): CallOptions {
    const { body, caller } = request;
    const bytes =
      body && ('bytes' in body ? body.bytes : Buffer.from(JSON.stringify(body.json) ?? 'null'));
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        drawn(value, name === 'if-match' ? 'etag' : name, operation),
      ]),
    );
    // The body of a GET means nothing and is not read, so that it is not signed either.
    const isSigned = bytes && operation.method !== 'GET';
    const signed = { method: operation.method, target, ...(isSigned && { body: bytes }) };
    const credentials =
      caller === 'nobody'
        ? {}
        : caller === 'signed'
          ? sign(keys.full, signed)
          : { authorization: `Bearer ${keys[caller].secret_key}` };
    return { headers: { ...headers, ...credentials }, ...(bytes && { body: bytes }) };
  }

  return async function send(operation: Operation, request: Request): Promise<Answer> {
    const target = targetOf(operation, request);
    const options = optionsOf(operation, target, request);
    const answer = await server.call(operation.method, target, options);
    const { operationId } = operation.operation;
    const statuses = tally.get(operationId) ?? new Map<number, number>();
    tally.set(operationId, statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1));
    try {
      const isAdmitted = isKnownBy(answer, operation, request.caller, target);
      checks.assertDocumented(operation, answer, isAdmitted);
      checks.assertRequestId(options.headers?.['x-request-id'] as string | undefined, answer);
      const reason = reasonToRefuse(operation, request);
      assert.ok(answer.status >= 400 || !reason, `was accepted in spite of: ${reason}`);
    } catch (error) {
      const shown = `${answer.status} ${JSON.stringify(answer.headers)}\n${answer.text}`;
      const command = curl(server.url, operation.method, target, options);
      throw new Error(`${(error as Error).message}\n\n${command}\n\n${shown}\n`);
    }
    if (answer.status < 300 && request.caller !== 'stranger') {
      known.learn(operation, answer.headers, answer.json);
    }
    return answer;
  };

  /** Why a request must not succeed by the document; null where it may. */
  function reasonToRefuse(operation: Operation, { body, headers, refused }: Request) {
    if (refused) return refused;
    const { requestBody, operationId } = operation.operation;
    // Lines are read one by one, and rows of a batch fail by themselves.
    const isByRow = operationId === 'insertLeads';
    if (!body || !requestBody || isByRow || headers['content-type'] === 'application/x-ndjson') {
      return null;
    }
    if ('json' in body) return checks.refusal(operation, body.json);
    return requestBody.required ? 'malformed' : null;
  }
}

/** Whether the service knows by the time of its answer who asks, so that it tells of the rate limit. */
function isKnownBy({ status }: Answer, { operation }: Operation, caller: Caller, target: string) {
  // What cannot be decoded is no route, and no key is looked at.
  if (caller === 'nobody' || /%(?![0-9a-f]{2})|%ff|%c3%28/i.test(pathOf(target))) return false;
  if (caller !== 'signed') return true;
  // A body that is too large is not read, so that its signature cannot be checked.
  return status !== 413 && operation.security.some((way: Json) => way.hmacSignature);
}

const pathOf = (target: string): string => target.split('?')[0] as string;

function curl(url: string, method: string, target: string, { headers, body }: CallOptions): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = Object.entries(headers ?? {}).map(([name, value]) =>
    quoted(value === '' ? `${name};` : `${name}: ${value}`),
  );
  const data = body ? ` --data-binary ${quoted(String(body).slice(0, 4000))}` : '';
  return `curl --path-as-is -i -X ${method} ${quoted(url + target)} ${lines.map((line) => `-H ${line}`).join(' ')}${data}`;
}
