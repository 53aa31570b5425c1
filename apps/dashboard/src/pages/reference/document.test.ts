import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { quoted } from './curl.ts';
import { type OpenApi, readDocument, searchSections } from './document.ts';

const json = (schema: unknown, value?: unknown) => ({
  'application/json': {
    schema,
    ...(value === undefined ? {} : { examples: { one: { summary: 'One', value } } }),
  },
});

const DOCUMENT: OpenApi = {
  tags: [{ name: 'Things', description: 'All of them.' }, { name: 'Empty' }],
  paths: {
    '/things/{id}': {
      patch: {
        operationId: 'patchThing',
        summary: 'Change a thing',
        tags: ['Things'],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'a/b' },
          { $ref: '#/components/parameters/Limit' },
        ],
        requestBody: { content: json({ $ref: '#/components/schemas/Thing' }, { name: "it's" }) },
        responses: {
          200: { description: 'Done.', content: json({ $ref: '#/components/schemas/Thing' }) },
          201: {
            description: 'Made, or checked.',
            content: json({
              oneOf: [
                { $ref: '#/components/schemas/Made' },
                { $ref: '#/components/schemas/Checked' },
              ],
            }),
          },
          404: { description: 'Not there.', content: json({}, { error: 'not_found' }) },
        },
      },
    },
  },
  webhooks: { 'thing.made': { post: { summary: 'A thing was made', responses: {} } } },
  components: {
    parameters: { Limit: { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 9 } } },
    schemas: {
      Thing: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', maxLength: 3, description: 'What it is called.' },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
          kinds: { type: 'array', items: { $ref: '#/components/schemas/Kind' } },
        },
      },
      Made: {
        type: 'object',
        required: ['ok', 'id', 'thing'],
        properties: {
          ok: { const: true },
          id: { type: 'string', description: 'Of it.' },
          thing: { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] },
        },
      },
      Checked: {
        type: 'object',
        required: ['ok', 'id', 'checked'],
        properties: { ok: { const: true }, id: { type: 'null' }, checked: { type: 'boolean' } },
      },
      Kind: { type: 'string', enum: ['a', 'b'] },
      // Holds itself: a reader that followed it for ever would hang.
      Part: { type: 'object', properties: { part: { $ref: '#/components/schemas/Part' } } },
    },
  },
};

const sections = readDocument(DOCUMENT, 'http://127.0.0.1:3000');
const [operation] = sections[0]?.operations ?? [];
assert.ok(operation);

describe('the reference', () => {
  test('has the operations by their tags, then the events; a tag without any is left out', () => {
    const names = sections.map(({ name, operations }) => [name, operations.map(({ id }) => id)]);
    assert.deepEqual(names, [
      ['Things', ['patchThing']],
      ['Events that are sent', ['event-thing.made']],
    ]);
  });

  test('shows fields with type, rules and whether they must be there, members below theirs', () => {
    const [name, parts, part] = operation.body?.fields ?? [];
    assert.deepEqual(name, {
      ...{ name: 'name', type: 'string', required: true },
      ...{ rules: 'at most 3 characters', description: 'What it is called.' },
    });
    assert.deepEqual([parts?.name, parts?.type], ['parts', 'array of object']);
    assert.equal(part?.name, 'parts[].part');
    const kinds = operation.body?.fields.find((field) => field.name === 'kinds');
    assert.equal(kinds?.rules, 'each one of a, b');
    assert.deepEqual(
      operation.parameters.map((one) => [one.name, one.in, one.required, one.rules]),
      [
        ['id', 'path', true, ''],
        ['limit', 'query', false, 'up to 9'],
      ],
    );
    assert.deepEqual(operation.answers[0]?.fields, operation.body?.fields);
    assert.equal(operation.failures[0]?.codes[0]?.text, '{\n  "error": "not_found"\n}');
  });

  test('shows of an answer that is this or that the members of both, and which has what', () => {
    const [answer] = operation.answers.slice(1);
    const rows = answer?.fields.map(({ name, type, required, description }) =>
      [name, type, required ? 'required' : '', description].join('|'),
    );
    assert.deepEqual(rows, [
      'ok|true|required|',
      'id|string or null|required|Of it.',
      'thing|object or null||Only in Made.',
      'thing.name|string|required|What it is called.',
      'thing.parts|array of object||',
      'thing.parts[].part|object||',
      'thing.parts[].part.part|object||',
      'thing.kinds|array of string||',
      'checked|boolean||Only in Checked.',
    ]);
  });

  test('gives a request that a shell takes as it is meant', () => {
    const script = `curl() { printf '%s\\n' "$@"; }\n${operation.curl}`;
    const { stdout } = spawnSync('sh', ['-c', script], {
      encoding: 'utf8',
      env: { LEADWIRE_KEY: 'lwsk_x' },
    });
    assert.deepEqual(stdout.trimEnd().split('\n'), [
      ...['-X', 'PATCH', 'http://127.0.0.1:3000/things/a%2Fb'],
      ...['-H', 'Authorization: Bearer lwsk_x', '-d', `{"name":"it's"}`],
    ]);
    assert.equal(quoted(`'; rm -rf $HOME`), `''\\''; rm -rf $HOME'`);
  });

  test('is searched by path, name, words and fields; each word must be there', () => {
    const found = (query: string) =>
      searchSections(sections, query).flatMap(({ operations }) => operations.map(({ id }) => id));
    assert.deepEqual(found('  '), ['patchThing', 'event-thing.made']);
    for (const query of ['PATCH', '/things/', 'change THING', 'limit', 'parts']) {
      assert.deepEqual(found(query), ['patchThing'], query);
    }
    assert.deepEqual(found('change made'), []);
  });
});
