import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import { openScene, webhookBody } from './scene.ts';

const { post, patch, get, list, create } = await openScene();

const NO_URL = 'url must be an absolute http or https URL';
const NOT_STORABLE = 'must not contain U+0000 or an unpaired surrogate';
const EVENT =
  'lead.created or lead.updated or lead.converted or campaign.started or campaign.paused';

type Bad = [field: Record<string, unknown>, error: string];

const BAD: Bad[] = [
  [{ url: 5 }, 'url must be a string'],
  [{ url: null }, 'url must be a string'],
  [{ url: ['https://a.example.com/'] }, 'url must be a string'],
  [{ url: '' }, NO_URL],
  [{ url: 'crm.example.com/hook' }, NO_URL],
  [{ url: '//crm.example.com/hook' }, NO_URL],
  [{ url: 'ftp://crm.example.com/' }, NO_URL],
  [{ url: 'javascript:alert(1)' }, NO_URL],
  [{ url: 'https:crm.example.com' }, NO_URL],
  [{ url: 'https://' }, NO_URL],
  [{ url: 'https://crm.example.com:99999/' }, NO_URL],
  [{ url: ' https://crm.example.com/' }, NO_URL],
  [{ url: 'https://crm.example.com/ x' }, NO_URL],
  [{ url: 'https://crm.example.com/\n' }, NO_URL],
  [{ url: 'https://crm.example.com/\u0007' }, NO_URL],
  [{ url: 'https://[::1' }, NO_URL],
  [{ url: 'https://a:b@crm.example.com/' }, 'url must not contain credentials'],
  [{ url: 'https://a@crm.example.com/' }, 'url must not contain credentials'],
  [{ url: 'https://crm.example.com:0/' }, 'url must not have port 0'],
  [{ url: `https://crm.example.com/${'x'.repeat(2025)}` }, 'url must be at most 2048 characters'],
  [
    { url: `https://crm.example.com/${'x'.repeat(200_000)}` },
    'url must be at most 2048 characters',
  ],
  [{ url: 'https://crm.example.com/\ud800' }, `url ${NOT_STORABLE}`],
  [{ events: null }, 'events must be an array'],
  [{ events: 'lead.created' }, 'events must be an array'],
  [{ events: { 0: 'lead.created' } }, 'events must be an array'],
  [{ events: [] }, 'events must have at least one entry'],
  [{ events: ['lead.deleted'] }, `events.0 must be ${EVENT}`],
  [{ events: ['lead.created', '*'] }, `events.1 must be ${EVENT}`],
  [{ events: ['lead.created', 'LEAD.CREATED'] }, `events.1 must be ${EVENT}`],
  [{ events: ['lead.created', null] }, `events.1 must be a string`],
  [
    { events: ['lead.created', 'lead.updated', 'lead.created'] },
    'events must not have an entry twice',
  ],
  [{ events: Array(501).fill('lead.created') }, 'events must have at most 5 entries'],
  [{ events: Array(20_000).fill({}) }, 'events must have at most 5 entries'],
  [{ description: 5 }, 'description must be a string or null'],
  [{ description: 'x'.repeat(501) }, 'description must be at most 500 characters'],
  [{ description: '😀'.repeat(501) }, 'description must be at most 500 characters'],
  [{ description: 'a\u0000b' }, `description ${NOT_STORABLE}`],
  [{ description: 'a\udc00b' }, `description ${NOT_STORABLE}`],
  [{ active: null }, 'active must be true or false'],
  [{ active: 'true' }, 'active must be true or false'],
  [{ active: 1 }, 'active must be true or false'],
  [{ secret: 'whsec_x' }, 'secret is not a known field'],
  [{ id: 'wh_x' }, 'id is not a known field'],
  [{ created_at: '2026-01-15T10:30:00Z' }, 'created_at is not a known field'],
  [{ inactive_reason: null }, 'inactive_reason is not a known field'],
  [{ account_id: 'x' }, 'account_id is not a known field'],
  [{ evnets: ['lead.created'] }, 'evnets is not a known field'],
];

describe('refused by POST and by PATCH alike, and nothing is written:', () => {
  for (const [field, error] of BAD) {
    const [[name, value] = []] = Object.entries(field);
    test(`${name} ${(JSON.stringify(value) ?? '').slice(0, 40)}: ${error.slice(0, 60)}`, async () => {
      const { secret: _shown, ...created } = await create();
      const count = (await list('?limit=100')).json.data.length;
      const posted = assertFailure(await post(webhookBody(field)), 400, error);
      const patched = assertFailure(await patch(created.id, field), 400, error);
      for (const { errors } of [posted, patched]) {
        assert.equal(errors.length, 1);
        assert.equal(errors[0].path.split('.')[0], name);
        assert.equal(errors[0].message, error);
      }
      assert.deepEqual((await get(created.id)).json, created);
      assert.equal((await list('?limit=100')).json.data.length, count);
    });
  }
});

describe('POST', () => {
  test('wants url and events', async () => {
    assertFailure(await post({}), 400, 'url is required, events is required');
  });

  test('sums up all that is wrong, in the order of the fields', async () => {
    const body = { x: 1, active: 'no', description: 1, events: [], url: 'x' };
    const { errors } = assertFailure(
      await post(body),
      400,
      `${NO_URL}, events must have at least one entry, description must be a string or null, active must be true or false, x is not a known field`,
    );
    assert.deepEqual(
      errors.map(({ path }: { path: string }) => path),
      ['url', 'events', 'description', 'active', 'x'],
    );
  });

  test('wants an object', async () => {
    for (const body of ['[]', '[{}]', 'null', '5', '"x"', 'true']) {
      assertFailure(await post(body), 400, 'the body must be an object');
    }
  });

  test('wants JSON, without a key twice', async () => {
    for (const body of ['{', 'url=x', '{"url":1}}', '{"active":true,"active":false}', '\ufeff{}']) {
      assertFailure(await post(body), 400, 'malformed_json');
    }
    for (const body of [undefined, '']) assertFailure(await post(body), 400, 'empty_body');
  });

  test('refuses a body over 256 KiB', async () => {
    assertFailure(await post(' '.repeat(256 * 1024 + 1)), 413, 'payload_too_large');
  });

  test('takes nothing from __proto__', async () => {
    const body = `{"__proto__":{"active":false},"url":"https://a.example.com/","events":["lead.created"]}`;
    assertFailure(await post(body), 400, '__proto__ is not a known field');
  });
});

describe('PATCH', () => {
  test('without a body, with an empty one or with {}: 400 empty_body', async () => {
    const { id } = await create();
    for (const body of [undefined, '', '{}', ' { } ']) {
      assertFailure(await patch(id, body), 400, 'empty_body');
    }
  });

  test('wants an object', async () => {
    const { id } = await create();
    for (const body of ['[]', 'null', '5', '"x"']) {
      assertFailure(await patch(id, body), 400, 'the body must be an object');
    }
  });

  test('checks the body before it looks for the webhook', async () => {
    assertFailure(await patch('wh_x', {}), 400, 'empty_body');
    assertFailure(await patch('wh_x', { active: 1 }), 400, /^active /);
  });
});

describe('the list', () => {
  test('wants a limit from 1 to 100, a cursor that it gave, and no other parameter', async () => {
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'limit=', 'limit=1&limit=2']) {
      assertFailure(await list(`?${query}`), 400, 'limit must be an integer from 1 to 100');
    }
    for (const cursor of ['', 'x', 'wh_x', '2026-01-15T10:30:00.123456Z', `wh_${'G'.repeat(32)}`]) {
      const error = 'cursor must be a nextCursor of an earlier page';
      assertFailure(await list(`?cursor=${encodeURIComponent(cursor)}`), 400, error);
    }
    assertFailure(await list('?active=true'), 400, 'active is not a known parameter');
  });
});
