import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json, TestServer } from '../../support/index.ts';

export type Operation = { method: string; path: string; operation: Json };

/** The document that a server shows, and checks of answers against its schemas. */
export async function readDocument(server: TestServer) {
  const document = (await server.call('GET', '/openapi.json')).json;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(close(document), 'document');
  const operations: Operation[] = Object.entries(document.paths as Record<string, Json>).flatMap(
    ([path, item]) =>
      Object.entries(item as Record<string, Json>).map(([method, operation]) => ({
        method: method.toUpperCase(),
        ...{ path, operation },
      })),
  );
  return {
    document,
    operations,
    resolve: (node: Json): Json =>
      node.$ref
        ? node.$ref
            .slice(2)
            .split('/')
            .reduce((at: Json, step: string) => at[step], document)
        : node,
    operation(operationId: string): Operation {
      const found = operations.find(({ operation }) => operation.operationId === operationId);
      return found ?? assert.fail(`no operation ${operationId}`);
    },
    /** Asserts that an answer has a documented status, and a body and headers as documented for it. */
    assertDocumented(
      { operation }: Operation,
      answer: { status: number; text: string; headers: Json; json: Json },
    ): void {
      const documented = operation.responses[answer.status];
      assert.ok(documented, `${operation.operationId} ${answer.status}: ${answer.text}`);
      const { schema } = documented.content['application/json'];
      assert.ok(
        ajv.validate(absolute(close(schema)), answer.json),
        `${ajv.errorsText()}: ${answer.text}`,
      );
      for (const name of Object.keys(documented.headers)) {
        assert.ok(answer.headers[name.toLowerCase()], `${operation.operationId}: no ${name}`);
      }
    },
  };
}

/** References as seen from outside of the document. */
export const absolute = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'));

/**
 * A schema, or all schemas of a document, without members that are not named: an answer has no others, though a client need not
 * refuse them.
 */
export function close(node: Json): Json {
  if (Array.isArray(node)) return node.map(close);
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, close(value)]));
  const isObject = node.properties && [node.type].flat().includes('object');
  return isObject ? { additionalProperties: false, ...inner } : inner;
}
