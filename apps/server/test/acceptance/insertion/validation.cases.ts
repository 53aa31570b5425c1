import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFails, leadBody, openScene } from './scene.ts';

const { post, get } = await openScene();

describe('a body that fails validation', () => {
  test('is summed up in the order of the fields, separated by commas', async () => {
    const answer = await post({ phone: '4155550132', campaign_id: 1 });
    const summary =
      'external_lead_id is required, phone must be in international format with a leading plus sign';
    assertFails(answer, 400, summary);
    const { errors } = answer.json;
    assert.deepEqual(
      errors.map((error: { path: string }) => error.path),
      ['external_lead_id', 'phone'],
    );
    for (const error of errors) {
      assert.deepEqual(Object.keys(error).sort(), ['code', 'message', 'path']);
    }
    assert.equal(
      errors.map((error: { message: string }) => error.message).join(', '),
      answer.json.error,
    );
  });

  test('an unknown field is named, and custom_fields is pointed to', async () => {
    const answer = await post(leadBody({ frist_name: 'Ada' }));
    assertFails(answer, 400, /frist_name.*custom_fields/);
    assert.equal(answer.json.errors[0].path, 'frist_name');
    assertFails(await post(leadBody({ address: { town: 'X' } })), 400, /town/);
  });

  for (const field of ['id', 'account_id', 'created_at', 'updated_at']) {
    test(`${field} cannot be sent`, async () => {
      assertFails(await post(leadBody({ [field]: 'x' })), 400, new RegExp(field));
    });
  }

  test('a campaign that is not of this account is refused, and nothing is stored', async () => {
    for (const campaign_id of [4, 99, 2147483647]) {
      const body = leadBody({ campaign_id });
      assertFails(await post(body), 400, /campaign_id/);
      assertFails(await get(body.external_lead_id), 404);
    }
  });
});
