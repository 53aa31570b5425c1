import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CallOptions, Json } from '../../support/index.ts';
import { MISSING, openScene } from './scene.ts';

const { call, one, create, get, list, remove, stored, theirs } = await openScene();

type Answer = { status: number; headers: object; json: Json };

/** What a prober can compare: all but the ids and the date. */
const shape = ({ status, headers, json }: Answer) => {
  const { request_id, ...body } = json;
  assert.equal(typeof request_id, 'string');
  return { status, body, headers: Object.keys(headers).sort() };
};

const { secret: _shown, ...ours } = await create();
const deleted = await create();
await remove(deleted.id);

const REQUESTS: [name: string, method: string, suffix: string, options: CallOptions][] = [
  ['GET', 'GET', '', {}],
  ['PATCH', 'PATCH', '', { body: { active: false, url: 'https://stolen.example.com/' } }],
  ['PATCH that changes nothing', 'PATCH', '', { body: { url: ours.url } }],
  ['rotate-secret', 'POST', '/rotate-secret', {}],
  ['DELETE', 'DELETE', '', {}],
];

describe('a webhook of another account answers exactly as a missing one: 404, the same body and headers but ids', () => {
  for (const [name, method, suffix, options] of REQUESTS) {
    test(name, async () => {
      const send = (id: string, key = theirs.full) =>
        call(method, one(id) + suffix, { key, ...options });
      const foreign = await send(ours.id);
      assert.equal(foreign.status, 404, foreign.text);
      assert.equal(foreign.json.error, 'not_found');
      assert.deepEqual(shape(foreign), shape(await send(MISSING)));
      assert.deepEqual(shape(foreign), shape(await send(deleted.id)));
    });
  }

  test('and stays as it was', async () => {
    assert.deepEqual((await get(ours.id)).json, ours);
    assert.equal((await stored(ours.id)).previous_secret_encrypted, null);
  });
});

describe('a webhook that is not there', () => {
  const ids = [
    ...[MISSING, deleted.id, 'wh_', 'wh_x', 'x', '%00', '%F0%9F%98%80', 'wh_%00', `${ours.id}0`],
    ours.id.slice(3),
    ours.id.replace('wh_', 'evt_'),
    ours.id.toUpperCase(),
    `${ours.id}%20`,
    'wh_0198c0de-0000-7000-8000-0000000dead0',
    'x'.repeat(200),
  ];
  for (const [name, method, suffix, options] of REQUESTS) {
    test(`is a 404 for ${name}, whatever is wrong with its id`, async () => {
      for (const id of ids) {
        const answer = await call(method, one(id) + suffix, { key: theirs.full, ...options });
        assert.equal(answer.status, 404, `${id}: ${answer.text}`);
        assert.equal(answer.json.error, 'not_found');
      }
    });
  }
});

describe('the list', () => {
  test('has the webhooks of the own account alone', async () => {
    const own = await create({}, { key: theirs.full });
    const ids = async (key?: typeof theirs.full) =>
      (await list('?limit=100', key && { key })).json.data.map(({ id }: Json) => id);
    assert.deepEqual(await ids(theirs.full), [own.id]);
    assert.deepEqual(await ids(), [ours.id]);
  });

  test("with another account's cursor still has the own ones alone", async () => {
    const { data } = (await list(`?cursor=${ours.id}`, { key: theirs.full })).json;
    assert.deepEqual(data, []);
    const { json } = await list(`?cursor=wh_${'f'.repeat(32)}`, { key: theirs.full });
    assert.equal(json.data.length, 1);
  });
});
