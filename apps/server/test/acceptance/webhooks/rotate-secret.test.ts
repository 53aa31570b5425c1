import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openScene, SECRET } from './scene.ts';

const DAY_MS = 86_400_000;

const { create, rotate, get, stored } = await openScene();

describe('POST /api/v1/webhooks/:id/rotate-secret', () => {
  test('answers 200 with the Webhook, its new secret and until when the old one signs too: 24 hours', async () => {
    const { secret: old, ...created } = await create({ description: 'x' });
    const answer = await rotate(created.id);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const { secret, previous_secret_until, updated_at, ...rest } = answer.json;
    assert.match(secret, SECRET);
    assert.notEqual(secret, old);
    assert.ok(updated_at > created.updated_at);
    assert.deepEqual({ ...rest, updated_at: created.updated_at }, created);
    assert.equal(Date.parse(previous_secret_until) - Date.parse(updated_at), DAY_MS);
    assert.equal(previous_secret_until.slice(19), updated_at.slice(19));
    assert.deepEqual((await get(created.id)).json, { ...rest, updated_at });
  });

  test('keeps the secret until now as the previous one; rotated again within the day, the one before drops out', async () => {
    const { id } = await create();
    const boxes = [(await stored(id)).secret_encrypted];
    for (let n = 0; n < 3; n++) {
      const { previous_secret_until } = (await rotate(id)).json;
      const row = await stored(id);
      assert.equal(row.previous_secret_encrypted, boxes.at(-1));
      assert.equal(Number(row.previous_secret_until), Date.parse(previous_secret_until));
      boxes.push(row.secret_encrypted);
    }
    assert.equal(new Set(boxes).size, 4);
  });

  test('takes no body, and looks at none', async () => {
    const { id } = await create();
    for (const body of ['', '{}', 'x']) {
      assert.equal((await rotate(id, { body })).status, 200);
    }
  });

  test('works on an inactive webhook, which stays inactive', async () => {
    const { id } = await create({ active: false });
    const { active, inactive_reason } = (await rotate(id)).json;
    assert.deepEqual([active, inactive_reason], [false, 'requested']);
  });

  test('of any number at once gives each a secret of its own, and the last two are kept', async () => {
    const { id } = await create();
    const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(id)));
    assert.equal(new Set(answers.map(({ json }) => json.secret)).size, 10);
    const { secret_encrypted, previous_secret_encrypted } = await stored(id);
    assert.ok(secret_encrypted && previous_secret_encrypted);
    assert.notEqual(secret_encrypted, previous_secret_encrypted);
  });
});
