import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EVENTS } from '@leadwire/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { assertFailure } from '../../support/failure.ts';
import type { Json } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { openScene, START_MS, shape } from './scene.ts';

const { get, webhook, event, waits, tried, ours, theirs, call, database } = await openScene();

/** The delivery of an event as the list shows it. */
async function listed(hook: Json, eventId: string): Promise<Json> {
  const answer = await get(`${hook.id}/deliveries?event_id=${eventId}`);
  assert.equal(answer.json.data.length, 1, answer.text);
  return answer.json.data[0];
}

describe('GET /api/v1/webhooks/:id/deliveries/:delivery', () => {
  test('shows the delivery as the list does, its event, and each attempt, oldest first', async () => {
    const hook = await webhook();
    const one = await event();
    const refused = { outcome: 'failed', error: 'connection_failed', status: null } as const;
    await tried(hook, one, { ...refused, at: START_MS });
    const answer = Buffer.from('{"error":"down"}');
    await tried(hook, one, { outcome: 'failed', at: START_MS + 5000, answer });
    await waits(hook, one, 2);
    const shown = await listed(hook, one.id);
    const { status, json, headers } = await get(`${hook.id}/deliveries/${shown.id}`);
    assert.equal(status, 200);
    assert.match(headers['content-type'] ?? '', /^application\/json/);
    const { event: body, attempts, ...rest } = json;
    assert.deepEqual(rest, shown);
    assert.equal(rest.attempt_count, 2);
    assert.deepEqual(body, {
      ...{ id: one.id, type: 'campaign.started', timestamp: one.at, account_id: ours.id },
      data: { campaign: { id: 1, account_id: ours.id, name: 'Spring', state: 'active' } },
    });
    const failed = { outcome: 'failed', url: hook.url, duration_ms: 12 };
    for (const attempt of attempts) {
      assert.match(attempt.id, /^att_[0-9a-f]{32}$/);
      delete attempt.id;
    }
    assert.deepEqual(attempts, [
      {
        ...{ number: 1, started_at: '2026-01-15T10:00:00.000000Z', ...failed },
        ...{ status: null, error: 'connection_failed', detail: null, answer: null },
        next_attempt_at: '2026-01-15T10:00:05.000000Z',
      },
      {
        ...{ number: 2, started_at: '2026-01-15T10:00:05.000000Z', ...failed },
        ...{ status: 500, error: 'status', detail: null, answer: '{"error":"down"}' },
        next_attempt_at: '2026-01-15T10:00:10.000000Z',
      },
    ]);
  });

  test('shows the event of a lead as the contract has it', async () => {
    const hook = await webhook({ events: ['lead.created'] });
    const lead = newLead({ custom_fields: { 'é\\"': [1.5, null] } });
    const posted = await call('POST', '/api/v1/insertion/leads', { key: ours.full, body: lead });
    const { data } = (await get(`${hook.id}/deliveries`)).json;
    assert.deepEqual([data.length, data[0].state], [1, 'waiting']);
    const { event: body, attempts } = (await get(`${hook.id}/deliveries/${data[0].id}`)).json;
    assert.deepEqual(body.data.lead, posted.json.lead);
    assert.deepEqual(attempts, []);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    assert.ok(ajv.validate(EVENTS['lead.created'], body), ajv.errorsText());
  });

  test('shows an answer that is no UTF-8, or cut in a character, as far as it is text', async () => {
    const hook = await webhook();
    const one = await event();
    await tried(hook, one, { answer: Buffer.from([0x61, 0xff, 0x00, 0x62, 0xe2, 0x82]) });
    const { id } = await listed(hook, one.id);
    const { attempts } = (await get(`${hook.id}/deliveries/${id}`)).json;
    assert.equal(attempts[0].answer, 'a\ufffd\u0000b\ufffd');
  });

  test('shows the newest hundred of more attempts, numbered through', async () => {
    const hook = await webhook();
    const one = await event();
    for (let n = 0; n < 103; n++) await tried(hook, one, { outcome: 'failed', at: START_MS + n });
    const { id, attempt_count } = await listed(hook, one.id);
    assert.equal(attempt_count, 103);
    const { attempts } = (await get(`${hook.id}/deliveries/${id}`)).json;
    assert.deepEqual(
      attempts.map((attempt: Json) => attempt.number),
      Array.from({ length: 100 }, (_, n) => n + 4),
    );
    assert.equal(attempts[99].started_at, '2026-01-15T10:00:00.102000Z');
  });

  test('answers the same 404 for all that is not a delivery of this webhook of this account', async () => {
    const [hook, other] = [await webhook(), await webhook()];
    const foreign = await webhook({}, { key: theirs.full });
    const [one, untold] = [await event(), await event()];
    const theirEvent = await event({ account: theirs.id });
    await waits(hook, one);
    await tried(other, untold);
    await waits(foreign, theirEvent);
    const { id } = await listed(hook, one.id);
    const theirKey = { key: theirs.full };
    const theirList = await get(`${foreign.id}/deliveries`, theirKey);
    const theirId = theirList.json.data[0].id;
    const idOf = (event_: Json, hook_: Json) =>
      `dlv_${Buffer.from((event_.uuid + hook_.uuid).replaceAll('-', ''), 'hex').toString('base64url')}`;
    assert.equal(idOf(one, hook), id);
    const missing = await get(`${hook.id}/deliveries/dlv_${'A'.repeat(43)}`);
    assertFailure(missing, 404, 'not_found');
    const last = id.at(-1) as string;
    const paths = [
      `${other.id}/deliveries/${id}`,
      `${hook.id}/deliveries/${idOf(untold, other)}`,
      `${hook.id}/deliveries/${idOf(untold, hook)}`,
      `${hook.id}/deliveries/${idOf(theirEvent, hook)}`,
      `${hook.id}/deliveries/${theirId}`,
      `${foreign.id}/deliveries/${theirId}`,
      `${foreign.id}/deliveries/${idOf(one, foreign)}`,
      `${hook.id}/deliveries/${id}=`,
      `${hook.id}/deliveries/${id.slice(0, -1)}${last === '_' ? '-' : '_'}`,
      `${hook.id}/deliveries/${one.id}`,
      `x/deliveries/${id}`,
      `${hook.id}/deliveries/x`,
    ];
    for (const path of paths) assert.deepEqual(shape(await get(path)), shape(missing), path);
    for (const path of [`${hook.id}/deliveries/${id}`, `${foreign.id}/deliveries/${id}`]) {
      assert.deepEqual(shape(await get(path, theirKey)), shape(missing), path);
    }
    await call('DELETE', `/api/v1/webhooks/${hook.id}`, { key: ours.full });
    const left = await database.query('SELECT FROM deliveries WHERE event_id = $1', [one.uuid]);
    assert.equal(left.length, 1);
    assert.deepEqual(shape(await get(`${hook.id}/deliveries/${id}`)), shape(missing));
  });

  test('needs leads:read', async () => {
    const hook = await webhook();
    const one = await event();
    await waits(hook, one);
    const path = `${hook.id}/deliveries/${(await listed(hook, one.id)).id}`;
    assert.equal((await get(path, { key: ours.reader })).status, 200);
    assertFailure(await get(path, { key: ours.writer }), 403, 'scope_required:leads:read');
  });
});
