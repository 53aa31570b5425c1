import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { contentHash } from './index.ts';
import type { LeadInput } from './types.generated.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const hashOfFields = (custom_fields: object) =>
  contentHash({ custom_fields } as LeadInput, ['custom_fields']);

test('a name that needs escapes is hashed as it is, whatever was parsed before it', async () => {
  JSON.parse('{"roof":1,"\\\\":2}');
  for (const name of ['"', '\\', '\n']) {
    const text = `{"custom_fields":{${JSON.stringify(name)}:2,"roof":1}}`;
    assert.equal(await hashOfFields({ roof: 1, [name]: 2 }), hashOf(text));
  }
});

test('a lead is hashed as it would be sent', async () => {
  const at = new Date('2026-01-15T10:30:00Z');
  const values = { a: at, b: undefined, c: [undefined, Number.NaN, at], d: () => 1, e: -0, f: NaN };
  const inner = { ...values, ['__proto__']: { g: null, h: [null, { i: null }] } };
  const sent = JSON.parse(JSON.stringify({ inner }));
  assert.equal(await hashOfFields({ inner }), await hashOfFields(sent));
  const text =
    '{"inner":{"a":"2026-01-15T10:30:00.000Z","c":[null,null,"2026-01-15T10:30:00.000Z"],"e":0}}';
  assert.equal(await hashOfFields({ inner: values }), hashOf(`{"custom_fields":${text}}`));
});
