import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually, type Json, startReceiver } from '../../support/index.ts';
import { LEADS, openLeadScene } from './lead-scene.ts';

const { server, ours, theirs, people, as, insert, patch, database } = await openLeadScene();
const [member, viewer, stranger] = [
  as(people.member),
  as(people.viewer),
  as(people.stranger, theirs.id),
];

const idsOf = (answer: { json: Json }): string[] => answer.json.leads.map((lead: Json) => lead.id);

async function found(query: Record<string, string | number>): Promise<string[]> {
  const answer = await viewer.list(query);
  assert.equal(answer.status, 200, answer.text);
  return idsOf(answer);
}

describe('the list of leads', () => {
  test('is walked to its end and back by its cursors without missing or repeating a lead', async () => {
    const made: string[] = [];
    for (let n = 0; n < 7; n++) made.unshift((await insert({ source: 'walk' })).id);
    const pages: string[][] = [];
    let cursor: string | undefined;
    let answer: Json;
    do {
      answer = (await viewer.list({ source: 'walk', limit: 3, ...(cursor ? { cursor } : {}) }))
        .json;
      pages.push(answer.leads.map((lead: Json) => lead.id));
      cursor = answer.next_cursor ?? undefined;
    } while (cursor);
    assert.deepEqual(pages, [made.slice(0, 3), made.slice(3, 6), made.slice(6)]);
    const back = (await viewer.list({ source: 'walk', limit: 3, cursor: answer.previous_cursor }))
      .json;
    assert.deepEqual(idsOf({ json: back }), made.slice(3, 6));
    const first = (await viewer.list({ source: 'walk', limit: 3, cursor: back.previous_cursor }))
      .json;
    assert.deepEqual(idsOf({ json: first }), made.slice(0, 3));
    assert.equal(first.previous_cursor, null);
  });

  test('is filtered by campaign, status, source and time, all at once', async () => {
    const lead = await insert({ source: 'filtered', campaign_id: 2, status: 'qualified' });
    await insert({ source: 'filtered', campaign_id: 2 });
    await insert({ source: 'filtered', campaign_id: 3, status: 'qualified' });
    const filter = { source: 'filtered', campaign_id: 2, status: 'qualified' };
    assert.deepEqual(await found(filter), [lead.id]);
    assert.deepEqual(await found({ ...filter, created_before: lead.created_at }), []);
    assert.deepEqual(await found({ ...filter, created_after: lead.created_at }), []);
    const around = {
      created_after: '2020-01-01T00:00:00Z',
      created_before: '2100-01-01T00:00:00Z',
    };
    assert.deepEqual(await found({ ...filter, ...around }), [lead.id]);
  });

  test('refuses a cursor, a filter or a parameter that is none', async () => {
    for (const query of [{ cursor: 'x' }, { status: 'odd' }, { limit: 0 }, { nonsense: 1 }]) {
      assert.equal((await viewer.list(query as Json)).status, 400, JSON.stringify(query));
    }
    const nul = await viewer.list({ search: 'a\u0000b' });
    assert.equal(nul.status, 400);
  });
});

describe('a search finds', () => {
  test('a lead by its external id, phone number or e-mail address, however they are written', async () => {
    const lead = await insert({
      external_lead_id: 'Deal 77/α',
      phone: '+1 415 555 0177',
      email: 'Grace.Hopper@Example.com',
    });
    for (const search of [
      'Deal 77/α',
      '  Deal 77/α ',
      '+14155550177',
      '+1 (415) 555-0177',
      '14155550177',
      'grace.hopper@example.COM',
    ]) {
      assert.deepEqual(await found({ search }), [lead.id], search);
    }
    assert.deepEqual(await found({ search: 'Deal 77/α', status: 'converted' }), []);
  });

  test('part of a name in any case, across first and last name', async () => {
    const lead = await insert({ first_name: 'Zsófia', last_name: 'Quennell-Ödegaard' });
    for (const search of ['zsÓf', 'QUENN', 'zsófia quenn', 'ödegaard']) {
      assert.deepEqual(await found({ search }), [lead.id], search);
    }
    assert.deepEqual(await found({ search: 'Zsófia Nobody' }), []);
  });

  test('wildcards and patterns as the characters that they are', async () => {
    const lead = await insert({ first_name: '100%_\\sure', last_name: '.*' });
    for (const search of ['%_', '\\', '100%', '.*']) {
      assert.deepEqual(await found({ search }), [lead.id], search);
    }
    for (const search of ['%%%', '___', "'; DROP TABLE leads; --", '%'.repeat(320)]) {
      assert.deepEqual(await found({ search }), [], search);
    }
  });

  test('nothing of another account', async () => {
    const lead = await insert({ first_name: 'Ourselves', email: 'only@ours.example' });
    for (const search of ['Ourselves', 'only@ours.example', lead.external_lead_id]) {
      assert.deepEqual(idsOf(await stranger.list({ search })), [], search);
    }
  });
});

describe('a lead', () => {
  test('is edited by a member, and its history names them', async () => {
    const lead = await insert();
    const answer = await member.edit(lead.id, 1, { status: 'contacted', first_name: 'Ada' });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json.changed, ['first_name', 'status']);
    assert.equal(answer.json.lead.version, 2);
    assert.equal((await viewer.get(lead.id)).json.first_name, 'Ada');
    const [record] = await database.query(
      'SELECT kind, actor_type, actor_id, address FROM lead_audit_records WHERE lead_id = $1 AND version = 2',
      [lead.id],
    );
    assert.deepEqual(record, {
      ...{ kind: 'edited', actor_type: 'user', actor_id: people.member.id },
      address: '127.0.0.1',
    });
  });

  test('that someone else changed meanwhile is a 409 with the lead as it is now', async () => {
    const lead = await insert();
    await patch(lead.id, { first_name: 'Grace' });
    const answer = await member.edit(lead.id, 1, { first_name: 'Ada' });
    assert.equal(answer.status, 409);
    assert.equal(answer.json.error, 'conflict');
    assert.equal(answer.json.details.lead.first_name, 'Grace');
    assert.equal(answer.json.details.lead.version, 2);
    assert.equal((await member.edit(lead.id, 2, { first_name: 'Ada' })).status, 200);
  });

  test('edited by two at once is changed by one of them', async () => {
    const lead = await insert();
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((name) => member.edit(lead.id, 1, { last_name: name })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  });

  test('takes no change that the public API would refuse, and names the field the same way', async () => {
    const lead = await insert();
    const bad = await member.edit(lead.id, 1, { phone: 'no', nonsense: 1 });
    assert.equal(bad.status, 400);
    assert.deepEqual(
      bad.json.errors.map((error: Json) => error.path),
      ['phone', 'nonsense'],
    );
    for (const changes of [{}, { phone: null }, { campaign_id: 2 }]) {
      assert.equal((await member.edit(lead.id, 1, changes)).status, 400, JSON.stringify(changes));
    }
  });

  test('is not edited by a viewer, nor erased by a member, nor seen by a stranger', async () => {
    const lead = await insert();
    assert.equal((await viewer.edit(lead.id, 1, { status: 'qualified' })).status, 403);
    assert.equal((await member.erase(lead.id, 1)).status, 403);
    const other = as(people.stranger, theirs.id);
    const owner = as(people.owner);
    for (const who of [stranger, other]) {
      assert.equal((await who.get(lead.id)).status, 404);
      assert.equal((await who.timeline(lead.id)).status, 404);
      assert.equal((await who.edit(lead.id, 1, { status: 'qualified' })).status, 404);
      assert.equal((await who.erase(lead.id, 1)).status, 404);
    }
    for (const id of ['nonsense', lead.external_lead_id, '019bc1a5-8f3c-7a80-b6e2-d4f607182900']) {
      assert.equal((await owner.get(id)).status, 404);
      assert.equal((await owner.timeline(id)).status, 404);
      assert.equal((await owner.edit(id, 1, { status: 'new' })).status, 404);
      assert.equal((await owner.erase(id, 1)).status, 404);
    }
    assert.equal((await viewer.get(lead.id)).json.version, 1);
  });
});

describe('the timeline of a lead', () => {
  test('has changes, events, attempts with their answers and what waits, newest first, with names', async () => {
    const receiver = await startReceiver();
    receiver.respond([{ status: 200, body: '<script>alert(1)</script>' }, 503]);
    const hook = { url: receiver.url, events: ['lead.created', 'lead.updated'] };
    const { json: webhook } = await server.call('POST', '/api/v1/webhooks', {
      ...{ key: ours.full, body: hook },
    });
    const lead = await insert();
    await receiver.waitFor(1);
    await member.edit(lead.id, 1, { first_name: '<b>Ada</b>' });
    await receiver.waitFor(2);
    const { entries, next_cursor } = await eventually(async () => {
      const answer = (await viewer.timeline(lead.id)).json;
      assert.equal(answer.entries.length, 7, JSON.stringify(answer));
      return answer;
    });
    assert.equal(next_cursor, null);
    assert.deepEqual(
      entries.map((entry: Json) => entry.at),
      entries
        .map((entry: Json) => entry.at)
        .toSorted()
        .reverse(),
    );
    const of = (kind: string) => entries.filter((entry: Json) => entry.kind === kind);
    const [edited, inserted] = of('change');
    assert.deepEqual(edited.changes, [{ field: 'first_name', before: null, after: '<b>Ada</b>' }]);
    assert.deepEqual(edited.actor, { type: 'user', id: people.member.id, name: 'Mia Member' });
    assert.equal(inserted.actor.type, 'api_key');
    assert.equal(typeof inserted.actor.name, 'string');
    assert.deepEqual(
      of('event').map((entry: Json) => entry.type),
      ['lead.updated', 'lead.created'],
    );
    const [failed, succeeded] = of('attempt');
    assert.deepEqual([failed.outcome, failed.status], ['failed', 503]);
    assert.equal(succeeded.answer, '<script>alert(1)</script>');
    const [waiting] = of('waiting');
    assert.deepEqual([waiting.webhook_id, waiting.attempts], [webhook.id, 1]);
    await server.call('DELETE', `/api/v1/webhooks/${webhook.id}`, { key: ours.full });
    await receiver.close();
  });

  test('of a lead with many changes comes in pages that miss and repeat none', async () => {
    const lead = await insert();
    for (let version = 1; version < 60; version++) {
      const answer = await server.call('PATCH', `${LEADS}/${lead.id}`, {
        ...{ key: ours.full, body: { custom_fields: { version } } },
      });
      assert.equal(answer.status, 200);
    }
    const versions: number[] = [];
    let pages = 0;
    let cursor: number | null = null;
    do {
      const query = cursor === null ? '' : `?cursor=${cursor}`;
      const { entries, next_cursor }: Json = (await viewer.timeline(lead.id, query)).json;
      const changes = entries.filter((entry: Json) => entry.kind === 'change');
      versions.push(...changes.map((entry: Json) => entry.version));
      cursor = next_cursor;
      pages++;
    } while (cursor !== null);
    assert.deepEqual(
      versions,
      Array.from({ length: 60 }, (_, index) => 60 - index),
    );
    assert.ok(pages >= 3, `${pages} pages`);
  });
});
