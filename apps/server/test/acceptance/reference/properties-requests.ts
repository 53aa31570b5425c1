import fc from 'fast-check';
import type { Json } from '../../support/index.ts';
import type { Operation } from './document.ts';
import { brokenFrom, malformed } from './properties-broken.ts';
import { valuesOf } from './properties-values.ts';

/** Whose key a request is sent with, and how. */
export const CALLERS = ['full', 'signed', 'reader', 'writer', 'stranger', 'nobody'] as const;
export type Caller = (typeof CALLERS)[number];

/** The nth of what is known when the request is sent; left out where nothing is. */
export type Nth = { nth: number };
/** A text is percent-encoded where it is put into an address. */
export type Query = [name: string, value: string | Nth][];

export type Request = {
  caller: Caller;
  /** Which of the known ids the path is filled with, or texts for all of its parameters: encoded, or as they are. */
  path: { nth: number } | { text: string } | { raw: string };
  query: Query;
  /** Appended as it is. */
  rawQuery: string;
  /** `refused`: what must not succeed, whatever else is right. */
  refused: string | null;
  body: { json: unknown } | { bytes: Buffer } | null;
  headers: Record<string, string | Nth>;
};

type Describe = { resolve(node: Json): Json };

const weighted = <T>(...parts: [weight: number, arbitrary: fc.Arbitrary<T>][]) =>
  fc.oneof(...parts.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const nth: fc.Arbitrary<Nth> = fc.nat({ max: 99 }).map((n) => ({ nth: n }));

const paths: fc.Arbitrary<Request['path']> = weighted<Request['path']>(
  [7, nth],
  [1, fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }).map((text) => ({ text }))],
  [
    1,
    fc
      .constantFrom(
        ...['00000000-0000-7000-8000-000000000000', 'wh_', `wh_${'0'.repeat(32)}`, 'dlv_A', '..'],
        ...['batch', 'a/b', '🐘'.repeat(255), 'x'.repeat(3000), "'; --", '\u0000', '%00', '.'],
      )
      .map((text) => ({ text })),
  ],
  [
    1,
    fc
      .constantFrom('%', '%zz', '%ff', '%c3%28', '%2F%2e%2e', '%25', '+', ';a=b', '%F0%9F%90%98')
      .map((raw) => ({ raw })),
  ],
);

const headers = (operation: Operation): fc.Arbitrary<Request['headers']> =>
  fc.record(
    {
      'x-request-id': fc.constantFrom('a-1', 'A/b:c=', 'a b', '\u00e9', 'x'.repeat(129), '-'),
      'idempotency-key': fc.constantFrom('k', '', 'x'.repeat(2000)),
      accept: fc.constantFrom('*/*', 'text/html', 'x', ''),
      ...(operation.operation.operationId === 'patchLead' && {
        'if-match': weighted<string | Nth>(
          [1, nth],
          [2, fc.constant('*')],
          [1, fc.constantFrom('"99"', 'W/"1"', '1', '', '"1", "2"', '"')],
        ),
      }),
      ...(operation.operation.requestBody && {
        'content-type': weighted<string>(
          [4, fc.constant('application/json')],
          [
            2,
            fc.constantFrom(
              ...['text/plain', '', 'x', 'application/json; charset=utf-16', 'multipart/form-data'],
              ...['application/x-www-form-urlencoded', 'application/x-ndjson'],
            ),
          ],
        ),
      }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Request['headers']>;

const ODD_QUERIES = ['&&', '=', '%', '%zz=1', '%ff=%ff', '__proto__=1', 'limit[]=1', 'limit', '?'];

/** Parameters of the query that the document allows, one of them wrong now and then. */
function queries(
  isRead: boolean,
  parameters: Json[],
): fc.Arbitrary<Pick<Request, 'query' | 'rawQuery' | 'refused'>> {
  const valid = fc
    .record(
      Object.fromEntries(
        parameters.map(({ name, schema }) => [
          name,
          name === 'cursor' || name === 'event_id'
            ? nth
            : valuesOf(schema, (node) => node, name).map(String),
        ]),
      ),
      { requiredKeys: [] },
    )
    .map((values) => Object.entries(values) as Query);
  const wrong = parameters.flatMap(({ name, schema }) => wrongTexts(name, schema));
  const broken = fc.constantFrom(...wrong, ['unknown', '1'] as [string, string]);
  // Posts pass over parameters that they do not know.
  const isList = isRead && parameters.length > 0;
  const right = { rawQuery: '', refused: null };
  return weighted<Pick<Request, 'query' | 'rawQuery' | 'refused'>>(
    [7, valid.map((query) => ({ query, ...right }))],
    [1, fc.constantFrom(...ODD_QUERIES).map((rawQuery) => ({ ...right, query: [], rawQuery }))],
    [
      2,
      fc.tuple(valid, broken).map(([query, [name, value]]) => ({
        query: [...query.filter(([other]) => other !== name), [name, value]] as Query,
        rawQuery: '',
        refused: name !== 'unknown' || isList ? `the parameter ${name}` : null,
      })),
    ],
  );
}

/** Values that the schema of a parameter refuses. */
function wrongTexts(name: string, { type, enum: known, format }: Json): [string, string][] {
  const texts = known
    ? ['zz', '', 'New']
    : type === 'integer'
      ? ['abc', '', '-1', '1.5', '0x10', '1e1', ' 1', '9'.repeat(30), '٣', '\u0000']
      : format === 'timestamp'
        ? ['yesterday', '', '2026-02-30T00:00:00Z', '2026-01-15', '1768473000']
        : [];
  return texts.map((text) => [name, text]);
}

function bodies(operation: Operation, { resolve }: Describe): fc.Arbitrary<Request['body']> {
  const content = operation.operation.requestBody?.content;
  if (!content) {
    return weighted<Request['body']>(
      [9, fc.constant(null)],
      [1, malformed.map((bytes) => ({ bytes }))],
    );
  }
  const valid = valuesOf(content['application/json'].schema, resolve);
  return weighted<Request['body']>(
    [6, valid.map((json) => ({ json }))],
    [3, brokenFrom(valid).map((json) => ({ json }))],
    [1, malformed.map((bytes) => ({ bytes }))],
  );
}

const callers = (operation: Operation): fc.Arbitrary<Caller> => {
  const isSigned = operation.operation.security.some((way: Json) => way.hmacSignature);
  return weighted<Caller>(
    [9, fc.constant('full')],
    [isSigned ? 5 : 1, fc.constant('signed')],
    [1, fc.constantFrom('reader', 'writer', 'stranger', 'nobody')],
  );
};

/** Requests of one operation, about half of which ought to succeed. */
export function requestsOf(operation: Operation, describe: Describe): fc.Arbitrary<Request> {
  const parameters: Json[] = operation.operation.parameters.map(describe.resolve);
  return fc
    .record({
      ...{ caller: callers(operation), path: paths, headers: headers(operation) },
      query: queries(
        operation.method === 'GET',
        parameters.filter((parameter) => parameter.in === 'query'),
      ),
      body: bodies(operation, describe),
    })
    .map(({ query, ...rest }) => ({ ...rest, ...query }));
}
