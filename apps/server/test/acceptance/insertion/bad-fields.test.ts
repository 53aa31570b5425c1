import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../../support/index.ts';
import { PATCHABLE, TUPLE } from './bad-values.ts';
import { assertFails, leadBody, openScene } from './scene.ts';

const { server, post, patch, get, insert, batch } = await openScene();

const shown = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}… (${text.length})` : text;
};

const withEmail = (fields: object) => leadBody({ email: 'fallback@example.com', ...fields });

for (const { field, refused, accepted, required } of [...TUPLE, ...PATCHABLE]) {
  const isPatchable = PATCHABLE.some((table) => table.field === field);

  describe(field, () => {
    test('refuses bad values with a 400 that names it, in a post, a PATCH and a batch, and stores nothing', async () => {
      const lead = await insert({ email: 'a@example.com' });
      const rows = refused.map((value) => withEmail({ [field]: value }));
      const summaries: string[] = [];
      for (const [n, value] of refused.entries()) {
        const answer = await post(rows[n]);
        assertFails(answer, 400, new RegExp(`^(${field}|custom_fields)\\b`));
        assert.ok(answer.json.errors.length >= 1, shown(value));
        assert.equal(answer.text.isWellFormed(), true);
        assert.equal(answer.text.includes('\\u0000'), false, shown(value));
        summaries.push(answer.json.error);
        if (!isPatchable) continue;
        const edit = await patch(lead.id, { [field]: value });
        assertFails(edit, 400, answer.json.error);
      }
      assert.deepEqual((await get(lead.id)).json.lead, lead);
      const batched = await batch(rows);
      assert.equal(batched.status, 200, batched.text);
      assert.deepEqual(
        batched.json.results.map((result: Json) => result.error),
        summaries,
      );
    });

    test(required ? 'is required' : 'may be left out', async () => {
      const { [field]: _, ...rest } = withEmail({}) as Json;
      const answer = await post(rest);
      if (required) assertFails(answer, 400, `${field} is required`);
      else assert.equal(answer.status, 201, answer.text);
    });

    for (const { sent, stored = sent } of accepted) {
      test(`keeps ${shown(sent)} faithfully, in a post and in a PATCH`, async () => {
        const posted = await post(withEmail({ [field]: sent }));
        assert.equal(posted.status, 201, posted.text);
        assert.deepStrictEqual(posted.json.lead[field], stored);
        assert.deepStrictEqual((await get(posted.json.lead.id)).json.lead[field], stored);
        if (!isPatchable) return;
        const lead = await insert({ email: 'a@example.com' });
        const edited = await patch(lead.id, { [field]: sent });
        assert.equal(edited.status, 200, edited.text);
        assert.deepStrictEqual(edited.json.lead[field], stored);
        assert.deepStrictEqual((await get(lead.id)).json.lead[field], stored);
      });
    }
  });
}

describe('custom_fields', () => {
  /** `levels` objects, one in the other; custom_fields itself is the first. */
  const nested = (levels: number, wrap = (inner: unknown): unknown => ({ a: inner })): Json => {
    let value: unknown = {};
    for (let n = 1; n < levels; n++) value = n === levels - 1 ? { a: value } : wrap(value);
    return value;
  };

  test('may be 16 levels deep and not 17, in objects and in arrays', async () => {
    for (const wrap of [undefined, (inner: unknown) => [inner]]) {
      const deep = nested(16, wrap);
      const answer = await post(leadBody({ custom_fields: deep }));
      assert.equal(answer.status, 201, answer.text);
      assert.deepEqual(answer.json.lead.custom_fields, deep);
      assertFails(
        await post(leadBody({ custom_fields: nested(17, wrap) })),
        400,
        /^custom_fields /,
      );
      const lead = await insert();
      assert.equal((await patch(lead.id, { custom_fields: deep })).status, 200);
      assertFails(
        await patch(lead.id, { custom_fields: nested(17, wrap) }),
        400,
        /^custom_fields /,
      );
    }
  });

  test('may have 64 KiB as JSON, counted in bytes, and not one more', async () => {
    const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    assert.equal((await post(leadBody({ custom_fields: sized(65_536) }))).status, 201);
    assertFails(await post(leadBody({ custom_fields: sized(65_537) })), 400, /^custom_fields /);
    // An elephant has four bytes.
    const elephants = (count: number) => ({ a: '🐘'.repeat(count) });
    assert.equal((await post(leadBody({ custom_fields: elephants(16_382) }))).status, 201);
    assertFails(await post(leadBody({ custom_fields: elephants(16_383) })), 400, /^custom_fields /);
  });

  test('with __proto__ poison nothing but themselves', async () => {
    const custom_fields = JSON.parse('{"__proto__":{"phone":"+14155550199","status":"converted"}}');
    const { lead } = (await post(leadBody({ custom_fields }))).json;
    assert.equal(lead.status, 'new');
    const next = await insert();
    assert.deepEqual(next.custom_fields, {});
  });

  test('merge a __proto__ member as any other', async () => {
    const lead = await insert({ custom_fields: JSON.parse('{"__proto__":{"a":1,"b":2}}') });
    const custom_fields = JSON.parse('{"__proto__":{"a":null,"c":3}}');
    const edited = (await patch(lead.id, { custom_fields })).json;
    assert.equal(JSON.stringify(edited.lead.custom_fields), '{"__proto__":{"b":2,"c":3}}');
    const cleared = await patch(lead.id, { custom_fields: JSON.parse('{"__proto__":null}') });
    assert.equal(JSON.stringify(cleared.json.lead.custom_fields), '{}');
  });

  test('with five thousand members are stored', async () => {
    const custom_fields = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, n]));
    const answer = await post(leadBody({ custom_fields }));
    assert.equal(answer.status, 201, answer.text.slice(0, 200));
    assert.deepEqual(answer.json.lead.custom_fields, custom_fields);
  });
});

describe('at the top level', () => {
  for (const name of [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'prototype',
    '',
    '\u0000',
    '\ud800',
    '🐘',
  ]) {
    test(`${JSON.stringify(name)} is an unknown field`, async () => {
      const member = `,${JSON.stringify(name)}:{"x":1}}`;
      const answer = await post(JSON.stringify(leadBody()).replace(/\}$/, member));
      assertFails(answer, 400, /custom_fields/);
      assert.equal(answer.text.isWellFormed(), true);
    });
  }

  test('ten thousand unknown fields are refused with a short answer', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, 1]));
    const answer = await post(leadBody(unknown));
    assertFails(answer, 400, /custom_fields/);
    assert.ok(answer.text.length < 20_000, `${answer.text.length} characters`);
  });
});

test('the process has lived through all of it', async () => {
  assert.equal((await server.call('GET', '/healthz')).status, 200);
  assert.equal(server.alive(), true);
});
