import { LIMITS } from '@leadwire/contract';
import { parameterRef } from './components.ts';
import { answerHeaders, failuresOf } from './failures.ts';
import { type Examples, OPERATION_NOTES, type OperationNotes } from './notes.ts';
import type { ApiRoute } from './routes.ts';
import { type Json, type JsonObject, schemaOf } from './schemas.ts';

type ObjectSchema = { properties?: Record<string, object>; required?: string[] };

const SUCCESS: Record<string, string> = { 200: 'Done.', 201: 'Created.', 202: 'Accepted.' };

/** One route as an OpenAPI operation. @throws where notes with its examples are missing */
export function operationOf(route: ApiRoute): JsonObject {
  const { operationId, summary, description, tags, body } = route.schema;
  const notes = OPERATION_NOTES[operationId];
  if (!notes) throw new Error(`The operation ${operationId} has no examples for the reference.`);
  const { scopes, hmac } = route.access;
  return {
    ...{ operationId, summary, tags: [...tags] },
    description: [description, needs(scopes)].filter(Boolean).join(' '),
    security: [{ bearer: [...scopes] }, ...(hmac ? [signedWith([...scopes])] : [])],
    parameters: parametersOf(route, notes),
    ...(body && { requestBody: requestBody(body, route.bodyLimit ?? LIMITS.bodyBytes, notes) }),
    responses: { ...successes(route, notes), ...failuresOf(route, notes) },
  };
}

const needs = (scopes: readonly string[]): string =>
  `Needs the scope${scopes.length > 1 ? 's' : ''} ${scopes.map((scope) => `\`${scope}\``).join(' and ')}.`;

const signedWith = (scopes: string[]): JsonObject => ({
  hmacPublicKey: scopes,
  hmacTimestamp: scopes,
  hmacSignature: scopes,
});

function parametersOf({ schema }: ApiRoute, notes: OperationNotes): Json[] {
  return [
    ...parameters('path', schema.params),
    ...parameters('query', schema.querystring),
    ...[...(notes.requestHeaders ?? []), 'RequestId'].map(parameterRef),
  ];
}

function parameters(place: 'path' | 'query', schema: ObjectSchema = {}): Json[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { description, examples, ...rest } = schemaOf(property, 'request') as JsonObject;
    return {
      ...{ name, in: place, required: place === 'path' || (schema.required ?? []).includes(name) },
      ...(description && { description }),
      schema: rest,
      ...(Array.isArray(examples) && { example: examples[0] as Json }),
    };
  });
}

function requestBody(body: object, limitBytes: number, notes: OperationNotes): Json {
  return {
    required: !notes.isBodyOptional,
    description: `At most ${limitBytes / 1024} KiB. Read as JSON whatever its Content-Type says.`,
    content: {
      'application/json': {
        schema: schemaOf(body, 'request'),
        examples: examplesOf(notes.request),
      },
      ...(notes.ndjson && {
        'application/x-ndjson': {
          schema: {
            type: 'string',
            description: 'One lead a line: each line the JSON of a LeadInput.',
          },
          examples: examplesOf(notes.ndjson),
        },
      }),
    },
  };
}

function successes(route: ApiRoute, notes: OperationNotes): JsonObject {
  const statuses = Object.keys(route.schema.response).filter((status) => status.startsWith('2'));
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: SUCCESS[status] ?? 'Done.',
        headers: answerHeaders(notes.answerHeaders?.[Number(status)]),
        content: {
          'application/json': {
            schema: schemaOf(route.schema.response[status] as object, 'answer'),
            examples: examplesOf(notes.answers[Number(status)]),
          },
        },
      },
    ]),
  );
}

/** @throws where there are none: every request and every answer of the reference has an example */
function examplesOf(examples: Examples | undefined): JsonObject {
  if (!examples) throw new Error('A request or an answer of the reference lacks its examples.');
  return examples as unknown as JsonObject;
}
