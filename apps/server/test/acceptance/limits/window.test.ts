import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import {
  createKey,
  createTestDatabase,
  eventually,
  seed,
  startServer,
} from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { limitOf } from '../../support/rate-limit.ts';

const LEADS = '/api/v1/insertion/leads';

const database = await createTestDatabase();
const account = seed().ours.id;
const keyWith = (rateLimit: string | null, scopes?: string) =>
  createKey(database.env, account, { rateLimit, ...(scopes ? { scopes } : {}) });
const [server, plain, reader, five, three, mixed] = await Promise.all([
  startServer({ database }),
  keyWith(null),
  keyWith(null, 'leads:read'),
  keyWith('5/60'),
  keyWith('3/2'),
  keyWith('4/60'),
]);

describe('the rate limit of a key', () => {
  after(() => server.stop());

  it('is 6000 requests in 60 seconds by default, and every authenticated answer shows it', async () => {
    const key = plain;
    const large = Buffer.alloc(256 * 1024 + 1, ' ');
    const id = newLead().external_lead_id;
    const known = newLead();
    const answers = [
      await server.call('POST', LEADS, { key, body: known }),
      await server.call('POST', LEADS, { key, body: known }),
      await server.call('GET', LEADS, { key }),
      await server.call('GET', '/api/v1/leads', { key }),
      await server.call('GET', `${LEADS}/${known.external_lead_id}`, { key }),
      await server.call('GET', `${LEADS}/${id}`, { key }),
      await server.call('GET', `${LEADS}/${id}/history`, { key }),
      await server.call('PATCH', `${LEADS}/${id}`, { key, body: { email: 'a@example.com' } }),
      await server.call('PATCH', `${LEADS}/${known.external_lead_id}`, {
        key,
        body: { first_name: 'A' },
        headers: { 'if-match': '"other"' },
      }),
      await server.call('GET', `${LEADS}?limit=0`, { key }),
      await server.call('POST', LEADS, { key, body: '{' }),
      await server.call('POST', LEADS, { key, body: large }),
      await server.call('POST', LEADS, { hmac: key, body: newLead() }),
      await server.call('POST', `${LEADS}/batch`, { key, body: { leads: [] } }),
      await server.call('POST', `${LEADS}/batch`, { key, body: { leads: [newLead()] } }),
    ];
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [201, 200, 200, 200, 200, 404, 404, 404, 409, 400, 400, 413, 201, 400, 200],
    );
    answers.forEach((answer, index) => {
      const { max, windowSeconds, left, resetSeconds } = limitOf(answer);
      assert.deepEqual({ max, windowSeconds }, { max: 6000, windowSeconds: 60 });
      assert.equal(left, 6000 - 1 - index, `answer ${index}`);
      assert.ok(resetSeconds >= 1 && resetSeconds <= 60);
    });
    const forbidden = await server.call('POST', LEADS, { key: reader, body: newLead() });
    assert.equal(forbidden.status, 403);
    assert.equal(limitOf(forbidden).left, 5999);
  });

  it('shows nothing where nobody was authenticated', async () => {
    const answers = [
      await server.call('GET', LEADS),
      await server.call('GET', LEADS, { headers: { authorization: 'Bearer x' } }),
      await server.call('GET', LEADS, { hmac: { ...plain, timestamp: 5 } }),
      await server.call('GET', '/healthz', { key: plain }),
    ];
    for (const { headers } of answers) {
      assert.equal(headers.ratelimit, undefined);
      assert.equal(headers['ratelimit-policy'], undefined);
    }
  });

  it('of its own refuses what comes after it with Retry-After, and counts down before', async () => {
    for (const left of [4, 3, 2, 1, 0]) {
      const answer = await server.call('GET', LEADS, { key: five });
      assert.equal(answer.status, 200);
      const shown = limitOf(answer);
      assert.deepEqual([shown.max, shown.windowSeconds, shown.left], [5, 60, left]);
    }
    for (let i = 0; i < 3; i++) {
      const answer = await server.call('GET', LEADS, { key: five });
      assertFailure(answer, 429, 'rate_limited');
      const { left, resetSeconds } = limitOf(answer);
      assert.equal(left, 0);
      assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
      assert.equal(Number(answer.headers['retry-after']), resetSeconds);
      assert.ok(resetSeconds <= 60);
    }
    assert.equal((await server.call('GET', LEADS, { key: plain })).status, 200, 'another key');
  });

  it('is one bucket for reading, writing, the legacy list, Bearer and HMAC', async () => {
    const key = mixed;
    const answers = [
      await server.call('POST', LEADS, { key, body: newLead() }),
      await server.call('GET', '/api/v1/leads', { key }),
      await server.call('GET', LEADS, { hmac: key }),
      await server.call('PATCH', `${LEADS}/missing`, { hmac: key, body: { first_name: 'A' } }),
    ];
    assert.deepEqual(
      answers.map((answer) => limitOf(answer).left),
      [3, 2, 1, 0],
    );
    assertFailure(await server.call('GET', '/api/v1/leads', { key }), 429, 'rate_limited');
    assertFailure(await server.call('GET', LEADS, { hmac: key }), 429, 'rate_limited');
    const refused = newLead();
    const post = await server.call('POST', LEADS, { key, body: refused });
    assertFailure(post, 429, 'rate_limited');
    const path = `${LEADS}/${refused.external_lead_id}`;
    assert.equal((await server.call('GET', path, { key: plain })).status, 404, 'nothing written');
  });

  it('is a fixed window: refused until it rolls over, refusals do not prolong it, then full again', async () => {
    const key = three;
    const get = () => server.call('GET', LEADS, { key });
    const first = performance.now();
    assert.equal(limitOf(await get()).left, 2);
    const begun = performance.now();
    assert.equal(limitOf(await get()).left, 1);
    assert.equal(limitOf(await get()).left, 0);
    let isRefused = false;
    const rolled = await eventually(
      async () => {
        const sentAt = performance.now();
        const answer = await get();
        if (answer.status === 429) isRefused = true;
        assert.equal(answer.status, 200);
        return { answer, at: performance.now(), sentAt };
      },
      { deadlineMs: 8000, everyMs: 50 },
    );
    assert.ok(isRefused, 'the fourth request was refused');
    assert.ok(rolled.at - first >= 1990, 'no request got through before the window ended');
    assert.ok(rolled.sentAt - begun < 7000, 'refusals do not prolong the window');
    assert.equal(limitOf(rolled.answer).left, 2, 'the new window is full');
  });

  it('of 0 is none', async () => {
    const key = seed().ours.full;
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => server.call('GET', `${LEADS}?limit=1`, { key })),
    );
    assert.ok(answers.every((answer) => answer.status === 200));
  });

  it('lets exactly its number through when all come at once', async () => {
    const key = await keyWith('20/60');
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => server.call('GET', `${LEADS}?limit=1`, { key })),
    );
    assert.equal(answers.filter((answer) => answer.status === 200).length, 20);
    assert.equal(answers.filter((answer) => answer.status === 429).length, 40);
  });
});
