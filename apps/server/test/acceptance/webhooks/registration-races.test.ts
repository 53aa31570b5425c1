import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import { openScene, webhookBody } from './scene.ts';

const LIMIT = 7;

const { post, get, list, patch, remove, rotate, create, stored, ours, theirs } = await openScene({
  env: { LEADWIRE_MAX_WEBHOOKS: String(LIMIT) },
});

const clear = async () => {
  for (const { id } of (await list('?limit=100')).json.data) await remove(id);
};

describe('an account has at most LEADWIRE_MAX_WEBHOOKS webhooks', () => {
  test('exactly, however many are created at once, and the others are refused with a clear error', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => post(webhookBody())));
    const made = answers.filter(({ status }) => status === 201);
    assert.equal(made.length, LIMIT);
    for (const answer of answers) {
      if (made.includes(answer)) continue;
      const { message } = assertFailure(answer, 400, 'webhook_limit_reached');
      assert.match(message, /\b7 webhooks\b.*Delete one/);
    }
    assert.equal((await list('?limit=100')).json.data.length, LIMIT);
  });

  test('and it is the limit of each account by itself', async () => {
    assert.equal((await post(webhookBody())).status, 400);
    const { id } = await create({}, { key: theirs.full });
    assert.equal((await remove(id, { key: theirs.full })).status, 200);
  });

  test('inactive ones count, deleted ones do not', async () => {
    const [first, second] = (await list()).json.data;
    await patch(first.id, { active: false });
    assertFailure(await post(webhookBody()), 400, 'webhook_limit_reached');
    await remove(second.id);
    await create();
    assertFailure(await post(webhookBody({ active: false })), 400, 'webhook_limit_reached');
  });

  test('what is wrong with the body is said first', async () => {
    assertFailure(await post({ url: 1 }), 400, 'url must be a string, events is required');
  });
});

describe('changes at the same time', () => {
  test('of different fields are all kept', async () => {
    await clear();
    for (let round = 0; round < 20; round++) {
      const { id } = await create();
      const changes = [
        { url: `https://r${round}.example.com/` },
        { events: ['lead.updated', 'lead.converted'] },
        { description: `round ${round}` },
        { active: false },
      ];
      const answers = await Promise.all(changes.map((change) => patch(id, change)));
      for (const [n, { status, json }] of answers.entries()) {
        assert.equal(status, 200);
        for (const [field, value] of Object.entries(changes[n] ?? {})) {
          assert.deepEqual(json[field], value);
        }
      }
      const { url, events, description, active, inactive_reason } = (await get(id)).json;
      assert.deepEqual(
        { url, events, description, active, inactive_reason },
        Object.assign({ inactive_reason: 'requested' }, ...changes),
      );
      await remove(id);
    }
  });

  test('of one field leave one of the values that were sent', async () => {
    const { id } = await create();
    const values = Array.from({ length: 20 }, (_, n) => `value ${n}`);
    const answers = await Promise.all(values.map((description) => patch(id, { description })));
    assert.deepEqual(
      answers.map(({ json }) => json.description),
      values,
    );
    assert.ok(values.includes((await get(id)).json.description));
    await remove(id);
  });

  test('with a DELETE: each PATCH and rotation answers 200 or 404, and the webhook stays deleted', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await create();
      const [removed, ...others] = await Promise.all([
        remove(id),
        patch(id, { active: false }),
        patch(id, { active: true, description: 'x' }),
        rotate(id),
        patch(id, { url: 'https://late.example.com/' }),
      ]);
      assert.equal(removed?.status, 200);
      for (const answer of others) {
        if (answer.status !== 200) assertFailure(answer, 404, 'not_found');
      }
      assertFailure(await get(id), 404, 'not_found');
      assertFailure(await patch(id, { active: true }), 404, 'not_found');
      const row = await stored(id);
      assert.equal(row.active, false);
      assert.equal(row.secret_encrypted ?? row.previous_secret_encrypted, null);
    }
  });

  test('DELETEs: exactly one answers 200', async () => {
    const { id } = await create({}, { key: ours.full });
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
    const done = answers.filter(({ status }) => status === 200);
    assert.equal(done.length, 1);
    for (const answer of answers) {
      if (!done.includes(answer)) assertFailure(answer, 404, 'not_found');
    }
  });
});
