import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { leadBody, openScene } from './scene.ts';

const { post, patch, insert } = await openScene();

// RFC 7396 appendix A: original, patch, result; those whose three are objects, as custom_fields is one.
const APPENDIX: [original: object, patch: object, result: object][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ a: 'foo' }, { b: 'bar' }, { a: 'foo', b: 'bar' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

// The appendix's cases of other kinds, one level down, where values may be of any kind.
const NESTED: [original: object, patch: object, result: object][] = [
  [{ v: ['a', 'b'] }, { v: ['c', 'd'] }, { v: ['c', 'd'] }],
  [{ v: { a: 'b' } }, { v: ['c'] }, { v: ['c'] }],
  [{ v: { a: 'foo' } }, { v: null }, {}],
  [{ v: { a: 'foo' } }, { v: 'bar' }, { v: 'bar' }],
  [{ v: [1, 2] }, { v: { a: 'b', c: null } }, { v: { a: 'b' } }],
  [{ v: 1 }, { v: { a: { b: null, c: 1 } } }, { v: { a: { c: 1 } } }],
  [{ v: 1 }, { v: [null, { a: null }] }, { v: [null, { a: null }] }],
  [{ v: false }, { v: 0 }, { v: 0 }],
  [{ v: 0 }, { v: '' }, { v: '' }],
];

const same = (a: unknown, b: unknown) => {
  try {
    assert.deepStrictEqual(a, b);
    return true;
  } catch {
    return false;
  }
};

describe('custom_fields merge as RFC 7396 merges', () => {
  for (const [original, change, result] of [...APPENDIX, ...NESTED]) {
    const name = `${JSON.stringify(original)} + ${JSON.stringify(change)}`;
    test(`${name}, by an upsert and by a PATCH`, async () => {
      const changed = same(original, result) ? [] : ['custom_fields'];
      const body = leadBody({ custom_fields: original });
      assert.deepEqual((await post(body)).json.lead.custom_fields, original);
      const upsert = await post({ ...body, custom_fields: change });
      assert.deepEqual(upsert.json.lead.custom_fields, result);
      assert.deepEqual(upsert.json.changed, changed);
      const lead = await insert({ custom_fields: original });
      const edit = await patch(lead.id, { custom_fields: change });
      assert.deepEqual(edit.json.lead.custom_fields, result);
      assert.deepEqual(edit.json.changed, changed);
    });
  }

  test('an empty object changes nothing', async () => {
    const body = leadBody({ custom_fields: { a: { b: 1 } } });
    await post(body);
    assert.equal((await post({ ...body, custom_fields: {} })).json.status, 'deduped');
    assert.equal((await post({ ...body, custom_fields: { a: {} } })).json.status, 'deduped');
  });
});

describe('address merges as RFC 7396 merges', () => {
  const home = { street: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701' };
  const cases: [object | null, object | null, object | null][] = [
    [home, { zip: '62702' }, { ...home, zip: '62702' }],
    [{ city: 'A' }, { zip: '1' }, { city: 'A', zip: '1' }],
    [{ city: 'A', zip: '1' }, { zip: null }, { city: 'A' }],
    [null, { city: 'A', zip: null }, { city: 'A' }],
    [home, null, null],
    [home, {}, home],
  ];
  for (const [original, change, result] of cases) {
    test(`${JSON.stringify(original)} + ${JSON.stringify(change)}`, async () => {
      const body = leadBody({ address: original });
      await post(body);
      assert.deepEqual((await post({ ...body, address: change })).json.lead.address, result);
      const lead = await insert({ address: original });
      assert.deepEqual((await patch(lead.id, { address: change })).json.lead.address, result);
    });
  }
});
