import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { EVENT_TYPES, EVENTS, LEAD_FIELDS, SCOPES } from '@leadwire/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fastify from 'fastify';
import { FORMATS } from '../platform/validation/formats.ts';
import { FORMAT_NOTES } from './formats.ts';
import { registerReference } from './index.ts';
import { startDescribed } from './testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is known by asserting on it.
type Any = any;

let document: Any;
let registered: string[];
before(async () => {
  ({ document, registered } = await startDescribed());
});

/** Every object of the document with its path. */
function* walk(value: Any, path: string): Generator<[path: string, node: Any]> {
  if (typeof value !== 'object' || value === null) return;
  yield [path, value];
  for (const [name, inner] of Object.entries(value)) yield* walk(inner, `${path}/${name}`);
}

const resolve = (node: Any): Any => {
  if (!node?.$ref) return node;
  const steps = node.$ref.slice(2).split('/');
  return steps.reduce((at: Any, step: string) => at?.[step], document);
};

const operations = (): [name: string, operation: Any][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Any).map(([method, operation]) => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  ) as [string, Any][];

function createSchemas() {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uuid: true } });
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format.test);
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  ajv.addFormat('uri-reference', true);
  ajv.addSchema(document, 'document');
  return {
    check(schema: Any, value: unknown, where: string): void {
      const isValid = ajv.validate(absolute(schema) as Any, value);
      assert.ok(isValid, `${where}: ${ajv.errorsText()}`);
    },
  };
}

/** References as seen from outside of the document. */
const absolute = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'));

describe('the document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document));
    assert.deepEqual([result.errors, result.valid], [undefined, true]);
    assert.match(document.openapi, /^3\.1\./);
  });

  test('has no reference that leads nowhere', () => {
    const missing = [...walk(document, '#')].filter(
      ([, node]) => typeof node.$ref === 'string' && resolve(node) === undefined,
    );
    assert.deepEqual(missing, []);
  });

  test('uses all of its components', () => {
    const text = JSON.stringify(document);
    const kinds = ['schemas', 'headers', 'parameters', 'examples'];
    const names = kinds.flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
    );
    const unused = names.filter((name) => !text.includes(`"${name}"`));
    assert.deepEqual(unused, []);
  });

  test('describes every route of the public API, and nothing else', () => {
    assert.ok(registered.length >= 7);
    const described = operations().map(([name]) => name.replace(/\{(\w+)\}/g, ':$1'));
    assert.deepEqual(described.sort(), registered.sort());
  });

  test('gives each operation an id of its own', () => {
    const ids = operations().map(([, { operationId }]) => operationId);
    assert.equal(new Set(ids).size, ids.length);
  });
});

describe('examples', () => {
  test('are valid by the schema beside them, all of them', () => {
    const { check } = createSchemas();
    let checked = 0;
    for (const [path, node] of walk(document, '#')) {
      if (!node.schema) continue;
      const examples = Object.entries(node.examples ?? {}).map(
        ([name, example]) => [name, resolve(example)?.value] as const,
      );
      if ('example' in node) examples.push(['example', node.example]);
      for (const [name, value] of examples) {
        check(node.schema, value, `${path} ${name}`);
        checked++;
      }
    }
    assert.ok(checked > 100, `only ${checked} examples were found`);
  });

  test('of schemas are valid by their schema', () => {
    const { check } = createSchemas();
    let checked = 0;
    for (const [path, node] of walk(document, '#')) {
      if (!Array.isArray(node.examples)) continue;
      for (const value of node.examples) check(node, value, path);
      checked += node.examples.length;
    }
    assert.ok(checked > 0);
  });

  test('stand at every request and at every answer', () => {
    for (const [name, operation] of operations()) {
      const { requestBody, responses } = operation;
      for (const [where, part] of Object.entries({ request: requestBody, ...responses })) {
        for (const media of Object.values((part as Any)?.content ?? {}) as Any[]) {
          assert.ok(Object.keys(media.examples).length > 0, `${name} ${where}`);
        }
      }
    }
  });

  test('of a request are answered by an example of the same name', () => {
    for (const [name, { requestBody, responses }] of operations()) {
      const answered = Object.entries(responses)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([, answer]) => Object.keys((answer as Any).content['application/json'].examples));
      for (const media of Object.values(requestBody?.content ?? {}) as Any[]) {
        for (const example of Object.keys(media.examples)) {
          assert.ok(answered.includes(example), `${name}: ${example}`);
        }
      }
    }
  });
});

describe('every operation', () => {
  test('names its scopes and takes Bearer; of the insertion API a signature too', () => {
    for (const [name, { security, description }] of operations()) {
      const [{ bearer: scopes }, ...others] = security;
      for (const scope of scopes) {
        assert.ok(SCOPES.includes(scope), name);
        assert.ok(description.includes(`\`${scope}\``), name);
      }
      const hmac = { hmacPublicKey: scopes, hmacTimestamp: scopes, hmacSignature: scopes };
      assert.deepEqual(others, name.includes(' /api/v1/insertion/') ? [hmac] : [], name);
      for (const scheme of Object.keys(Object.assign({}, ...security))) {
        assert.ok(document.components.securitySchemes[scheme], scheme);
      }
    }
  });

  test('that reads needs leads:read, that writes leads:write; that discloses leads to an endpoint, both', () => {
    for (const [name, { security }] of operations()) {
      const disclosing = /^(?:POST|PATCH) \/api\/v1\/webhooks/.test(name) ? ['leads:read'] : [];
      const isRead = name.startsWith('GET') || name.endsWith('/reconcile');
      const expected = isRead ? ['leads:read'] : ['leads:write', ...disclosing];
      assert.deepEqual(security[0].bearer, expected, name);
    }
  });

  test('names the failures of the contract, each as an Error with the headers that go with it', () => {
    for (const [name, { requestBody, responses, parameters }] of operations()) {
      const expected = ['401', '403', '404', '429', '500', '503', 'default'];
      if (!name.startsWith('GET ')) expected.push('413');
      for (const status of expected) {
        const { headers, content } = responses[status] ?? assert.fail(`${name} ${status}`);
        assert.deepEqual(content['application/json'].schema.$ref, '#/components/schemas/Error');
        assert.ok(headers['X-Request-Id'], `${name} ${status}`);
      }
      for (const status of ['429', '503']) assert.ok(responses[status].headers['Retry-After']);
      const hasQuery = parameters.map(resolve).some((parameter: Any) => parameter.in === 'query');
      assert.equal(Boolean(responses['400']), Boolean(requestBody) || hasQuery, name);
    }
    const conflicts = operations().filter(([, { responses }]) => responses['409']);
    assert.ok(conflicts.some(([name]) => name === 'PATCH /api/v1/insertion/leads/{id}'));
    for (const [name, { responses }] of conflicts) {
      assert.deepEqual(
        responses['409'].content['application/json'].schema.$ref,
        '#/components/schemas/Error',
        name,
      );
    }
  });

  test('describes each of its parameters', () => {
    for (const [name, { parameters }] of operations()) {
      for (const parameter of parameters.map(resolve)) {
        assert.ok(parameter.description, `${name} ${parameter.name}`);
        assert.ok('example' in parameter, `${name} ${parameter.name}`);
      }
    }
  });

  test('tells the defaults of its parameters', () => {
    const defaults = (path: string) =>
      Object.fromEntries(
        document.paths[path].get.parameters
          .filter((parameter: Any) => parameter.schema?.default !== undefined)
          .map((parameter: Any) => [parameter.name, parameter.schema.default]),
      );
    assert.deepEqual(defaults('/api/v1/insertion/leads'), { limit: 25 });
    assert.deepEqual(defaults('/api/v1/leads'), { limit: 20, offset: 0 });
  });
});

describe('schemas', () => {
  test('describe every field of a lead, as it is written and as it is shown', () => {
    const { LeadInput, LeadPatch, Lead } = document.components.schemas;
    for (const field of LEAD_FIELDS) {
      assert.ok(resolve(LeadInput.properties[field])?.description, `LeadInput.${field}`);
      assert.ok(resolve(Lead.properties[field])?.description, `Lead.${field}`);
      const isFixed = field === 'campaign_id' || field === 'external_lead_id';
      assert.equal(Boolean(resolve(LeadPatch.properties[field])?.description), !isFixed, field);
    }
    for (const field of ['id', 'account_id', 'created_at', 'updated_at']) {
      assert.ok(resolve(Lead.properties[field])?.description, field);
    }
    for (const [field, schema] of Object.entries(document.components.schemas.LegacyLead.properties))
      assert.ok(resolve(schema).description, `LegacyLead.${field}`);
  });

  test('are closed in requests and open in answers, so that clients bear what answers get in time', () => {
    for (const [name, schema] of Object.entries<Any>(document.components.schemas)) {
      const isRequest = /Input|Patch$/.test(name);
      for (const [path, node] of walk(schema, name)) {
        if (!node.properties || !node.type) continue;
        const where = path.split('/').slice(1).join('/');
        assert.equal(node.additionalProperties === false, isRequest, `${name} ${where}`);
      }
    }
  });

  test('show a pattern with each of our own formats that allows what the validator allows', () => {
    const texts: Record<string, [good: string[], bad: string[]]> = {
      phone: [
        ['+14155550132', '+1 (415) 555-01.32', '(+1)2345678'],
        ['4155550132', '+123', '+0'],
      ],
      'http-url': [
        ['https://a.b/c', 'HTTP://a'],
        ['ftp://a', 'a.b'],
      ],
      timestamp: [
        ['2026-01-15T10:30:00Z', '2026-01-15T10:30+02:00', '2026-01-15 10:30:00.123456789-0330'],
        ['2026-01-15', '2026-01-15T10:30:00'],
      ],
      'no-control-characters': [['a b é 😀'], ['a\nb', '\u007f']],
      'content-hash': [
        ['0'.repeat(64), 'af09'.repeat(16)],
        ['A'.repeat(64), '0'.repeat(63), '0'.repeat(65), 'g'.repeat(64)],
      ],
      'campaign-id': [
        ['1', '2147483647'],
        ['0', '-1', 'x', '01'],
      ],
    };
    for (const [name, [good, bad]] of Object.entries(texts)) {
      const pattern = new RegExp(FORMAT_NOTES[name]?.pattern as string, 'u');
      const isValid = FORMATS[name]?.test as (text: string) => boolean;
      for (const text of good) assert.deepEqual([pattern.test(text), isValid(text)], [true, true]);
      for (const text of bad) assert.deepEqual([pattern.test(text), isValid(text)], [false, false]);
    }
    const shown = [...walk(document, '#')].filter(([, node]) => node.format in texts);
    assert.ok(shown.length > 0);
    for (const [path, node] of shown) assert.ok(node.pattern, path);
  });
});

describe('the webhooks section', () => {
  test('has every event of the contract, with its own body', () => {
    assert.deepEqual(Object.keys(document.webhooks), [...EVENT_TYPES]);
    const { check } = createSchemas();
    for (const type of EVENT_TYPES) {
      const { requestBody, parameters } = document.webhooks[type].post;
      const { schema, examples } = requestBody.content['application/json'];
      assert.equal(examples.event.value.type, type);
      check(EVENTS[type], examples.event.value, type);
      assert.throws(() => check(schema, { ...examples.event.value, type: 'other' }, type));
      assert.deepEqual(
        parameters.map((parameter: Any) => parameter.name),
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
      );
    }
  });
});

describe('a route that would go undocumented keeps the service from starting', () => {
  const access = { feature: 'insertion', scopes: ['leads:read'], hmac: true } as const;
  const schema = { operationId: 'x', summary: 'X', tags: ['X'], response: { 200: {} } };
  const handler = async () => ({});
  const start = async (route: object) => {
    const app = fastify();
    await registerReference(app);
    app.route({ method: 'GET', url: '/api/v1/x', handler, ...route });
    try {
      await app.ready();
    } finally {
      await app.close();
    }
  };

  test('without an access', () => assert.rejects(start({ schema }), /needs an access/));
  test('without a documented schema', () =>
    assert.rejects(start({ config: { access } }), /documented schema/));
  test('without examples', () =>
    assert.rejects(start({ config: { access }, schema }), /operation x has no examples/));
  test('but not one that is hidden', () => start({ schema: { hide: true } }));
});
