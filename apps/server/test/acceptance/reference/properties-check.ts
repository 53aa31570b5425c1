import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Answer } from '../../support/call.ts';
import type { Json } from '../../support/index.ts';
import { absolute, close, type Operation } from './document.ts';

const FORMATS = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
};
const SAFE_REQUEST_ID = /^[A-Za-z0-9._:/+=-]{1,128}$/;

/** Checks of requests and answers against the document, as a client that believes it to the letter would make them. */
export function createChecks(document: Json) {
  const options = { strict: false, allErrors: true, logger: false } as const;
  const ajv = new Ajv2020({ ...options, formats: FORMATS });
  // An answer has no member that its schema does not name, though a client need not refuse one.
  const closed = new Ajv2020({ ...options, formats: FORMATS });
  ajv.addSchema(document, 'document');
  closed.addSchema(close(document), 'document');
  const allows = compiledOnce((schema) => ajv.compile(absolute(schema)));
  const allowsClosed = compiledOnce((schema) => closed.compile(absolute(close(schema))));

  return {
    /** What the documented schema has against a body; null where it allows it. */
    refusal({ operation }: Operation, body: unknown): string | null {
      const { schema } = operation.requestBody.content['application/json'];
      const validate = allows(schema);
      return validate(JSON.parse(JSON.stringify(body) ?? 'null'))
        ? null
        : ajv.errorsText(validate.errors);
    },
    /**
     * Asserts that an answer is as documented: status, type, body, headers.
     * @param isKnown whether the key was a valid one, so that the answer tells of its rate limit
     */
    assertDocumented({ operation }: Operation, answer: Answer, isKnown: boolean): void {
      assert.ok(answer.status < 500, 'a defect of the service');
      const documented = operation.responses[answer.status];
      assert.ok(documented, 'an undocumented status');
      assert.match(answer.headers['content-type'] ?? '', /^application\/json; charset=utf-8$/);
      const { schema } = documented.content['application/json'];
      const validate = allowsClosed(schema);
      assert.ok(validate(answer.json), ajv.errorsText(validate.errors));
      for (const name of Object.keys(documented.headers)) {
        const isOwed = isKnown || !name.startsWith('RateLimit');
        if (isOwed) assert.ok(answer.headers[name.toLowerCase()], `no ${name}`);
      }
    },
    /** Asserts that a safe request id was kept, another one replaced, and that failures name it. */
    assertRequestId(sent: string | undefined, { headers, status, json }: Answer): void {
      const kept = headers['x-request-id'];
      assert.match(String(kept), SAFE_REQUEST_ID);
      assert.equal(kept === sent, SAFE_REQUEST_ID.test(sent ?? ''), `X-Request-Id ${kept}`);
      if (status >= 400) assert.equal(json.request_id, kept);
    },
  };
}
export type Checks = ReturnType<typeof createChecks>;

function compiledOnce(compile: (schema: Json) => ValidateFunction) {
  const compiled = new Map<object, ValidateFunction>();
  return (schema: Json): ValidateFunction => {
    const made = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, made);
    return made;
  };
}
