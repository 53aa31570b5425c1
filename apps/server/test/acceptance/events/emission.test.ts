import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EVENT_TYPES, EVENTS as SCHEMAS } from '@leadwire/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type CallOptions, cliJson, type Json } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { assertUnique, LEADS, openScene } from './scene.ts';

const { database, server, ours, theirs, walk, walked } = await openScene();

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const isValid = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, ajv.compile(SCHEMAS[type])] as const),
);

const idsOf = async (): Promise<string[]> =>
  (await database.query('SELECT id FROM events')).map(({ id }) => id);

/** What a piece of work leaves: exactly the events of these types, in any order. */
async function assertEmits<T>(types: string[], work: () => Promise<T>): Promise<T> {
  const before = await idsOf();
  const result = await work();
  const rows = await database.query('SELECT type FROM events WHERE NOT id = ANY ($1::uuid[])', [
    before,
  ]);
  assert.deepEqual(rows.map(({ type }) => type).toSorted(), types.toSorted());
  return result;
}

const send = async (status: number, method: string, path: string, body: unknown, more = {}) => {
  const options: CallOptions = { key: ours.full, body, ...more };
  const answer = await server.call(method, path, options);
  assert.equal(answer.status, status, answer.text);
  return answer.json;
};

/** Posts until the next status: 201 inserts, 200 finds the tuple. */
const post = (status: number, body: Json, more?: CallOptions) =>
  send(status, 'POST', LEADS, body, more);
const patch = (status: number, id: string, body: Json, more?: CallOptions) =>
  send(status, 'PATCH', `${LEADS}/${id}`, body, more);
const batch = (leads: Json[]) => send(200, 'POST', `${LEADS}/batch`, { leads });

/** The events of one lead, as the feed shows them. */
const eventsOf = async (leadId: string): Promise<Json[]> => {
  const count = Number((await database.query('SELECT count(*)::int FROM events'))[0]?.count);
  const all = await walked(count - (await database.query(COUNT_THEIRS, [theirs.id]))[0].count);
  return all.filter(({ data }) => data.lead?.id === leadId);
};
const COUNT_THEIRS = 'SELECT count(*)::int FROM events WHERE account_id = $1';

const CREATED = ['lead.created'];
const UPDATED = ['lead.updated'];

describe('a post of a lead emits', () => {
  it('lead.created for an insert, with the lead as it was answered and no changed field', async () => {
    const { lead } = await assertEmits(CREATED, () => post(201, newLead({ first_name: 'Ada' })));
    const [event, ...others] = await eventsOf(lead.id);
    assert.deepEqual(others, []);
    assert.deepEqual(event.data, { lead, changed: [] });
    assert.equal(event.timestamp, lead.created_at);
    assert.equal(event.account_id, ours.id);
  });

  it('lead.converted beside lead.created for an insert with that status, with the same content', async () => {
    const { lead } = await assertEmits(['lead.created', 'lead.converted'], () =>
      post(201, newLead({ status: 'converted' })),
    );
    const events = await eventsOf(lead.id);
    assertUnique(events.map(({ id }) => id));
    for (const event of events) assert.deepEqual(event.data, { lead, changed: [] });
  });

  it('nothing for one that is deduped', async () => {
    const body = newLead({ status: 'converted', custom_fields: { a: 1 } });
    await post(201, body);
    const answer = await assertEmits([], () => post(200, body));
    assert.equal(answer.status, 'deduped');
    const { campaign_id, external_lead_id } = body;
    await assertEmits([], () => post(200, { campaign_id, external_lead_id }));
  });

  it('lead.updated for an upsert that changes something, with the names of the changed fields', async () => {
    const body = newLead();
    await post(201, body);
    const change = { ...body, last_name: 'Lovelace', source: 'x' };
    const { lead, changed } = await assertEmits(UPDATED, () => post(200, change));
    const event = (await eventsOf(lead.id)).at(-1);
    assert.deepEqual(event.data, { lead, changed: ['last_name', 'source'] });
    assert.deepEqual(event.data.changed, changed);
    assert.equal(event.timestamp, lead.updated_at);
  });

  it('lead.converted beside lead.updated each time that the status becomes converted, and only then', async () => {
    const body = newLead();
    await post(201, body);
    const both = ['lead.updated', 'lead.converted'];
    await assertEmits(both, () => post(200, { ...body, status: 'converted' }));
    await assertEmits(UPDATED, () => post(200, { ...body, source: 'still converted' }));
    await assertEmits(UPDATED, () => post(200, { ...body, status: 'qualified' }));
    await assertEmits(both, () => post(200, { ...body, status: 'converted', source: 'again' }));
  });

  it('nothing where it is refused', async () => {
    await assertEmits([], async () => {
      await post(400, newLead({ phone: '1' }));
      await post(400, newLead({ campaign_id: 99 }));
      await post(403, newLead(), { key: ours.reader });
      await post(401, newLead(), { key: undefined });
    });
  });

  it('exactly one lead.created of any number of concurrent posts of one tuple', async () => {
    const body = newLead();
    await assertEmits(CREATED, () =>
      Promise.all(
        Array.from({ length: 20 }, () =>
          server.call('POST', LEADS, { key: ours.full, body }).then(({ status }) => status),
        ),
      ),
    );
  });
});

describe('a batch emits', () => {
  it('for each row what a post of it would, and nothing for rows that failed', async () => {
    const [known, converted] = [newLead(), newLead({ status: 'converted' })];
    await batch([known, converted]);
    const rows = [
      newLead(),
      newLead({ status: 'converted' }),
      known,
      { ...converted, source: 'changed' },
      { ...known, status: 'converted' },
      newLead({ phone: 'nope' }),
      newLead({ campaign_id: 99 }),
    ];
    const emitted = [
      ...['lead.created', 'lead.created', 'lead.converted'],
      ...['lead.updated', 'lead.updated', 'lead.converted'],
    ];
    const { counts } = await assertEmits(emitted, () => batch(rows));
    assert.deepEqual(counts, { inserted: 2, patched: 2, deduped: 1, failed: 2 });
  });

  it('one lead.created and one lead.updated where a tuple comes twice and differs', async () => {
    const body = newLead();
    await assertEmits(['lead.created', 'lead.updated'], () =>
      batch([body, { ...body, source: 'b' }]),
    );
  });
});

describe('a PATCH emits', () => {
  it('lead.updated where it changes something, with the lead as it was answered', async () => {
    const { lead } = await post(201, newLead());
    const answer = await assertEmits(UPDATED, () =>
      patch(200, lead.id, { custom_fields: { kwh: 4200 }, status: 'contacted' }),
    );
    const event = (await eventsOf(lead.id)).at(-1);
    assert.deepEqual(event.data, { lead: answer.lead, changed: ['custom_fields', 'status'] });
  });

  it('lead.converted beside it where the status becomes converted', async () => {
    const { lead } = await post(201, newLead());
    const both = ['lead.updated', 'lead.converted'];
    await assertEmits(both, () => patch(200, lead.id, { status: 'converted' }));
    await assertEmits(UPDATED, () => patch(200, lead.id, { source: 'x' }));
  });

  it('nothing where it changes nothing or is refused', async () => {
    const { lead } = await post(201, newLead({ source: 'x' }));
    await assertEmits([], async () => {
      assert.deepEqual((await patch(200, lead.id, { source: 'x' })).changed, []);
      await patch(400, lead.id, { phone: null });
      await patch(400, lead.id, {});
      await patch(409, lead.id, { source: 'y' }, { headers: { 'if-match': '"99"' } });
      await patch(404, lead.id, { source: 'y' }, { key: theirs.full });
    });
  });
});

describe('a campaign emits', () => {
  const campaigns = (...args: string[]) =>
    cliJson(['campaigns', ...args, '--account', ours.id], database.env);

  it('campaign.started and campaign.paused when it is started and paused, and nothing when it was so already', async () => {
    const { id } = await assertEmits([], () => campaigns('create', '--name', 'New “one”'));
    const STARTED = ['campaign.started'];
    await assertEmits(STARTED, () => campaigns('start', String(id)));
    await assertEmits([], () => campaigns('start', String(id)));
    await assertEmits(['campaign.paused'], () => campaigns('pause', String(id)));
    await assertEmits([], () => campaigns('pause', String(id)));
    await assertEmits(STARTED, () => campaigns('start', String(id)));
    const events = await walked(3, { type: 'campaign.started,campaign.paused' });
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.campaign]),
      [
        ['campaign.started', 'active'],
        ['campaign.paused', 'paused'],
        ['campaign.started', 'active'],
      ].map(([type, state]) => [type, { id, account_id: ours.id, name: 'New “one”', state }]),
    );
  });

  it('campaign.paused for a draft that is paused', async () => {
    await assertEmits(['campaign.paused'], () => campaigns('pause', '2'));
  });
});

describe('every event', () => {
  it('of the feed has the body that the contract gives its type', async () => {
    const [{ count }] = (await database.query('SELECT count(*)::int FROM events')) as [Json];
    const all = await walked(count);
    for (const event of all) {
      const check = isValid[event.type as keyof typeof isValid];
      assert.ok(check?.(event), `${ajv.errorsText(check?.errors)}: ${JSON.stringify(event)}`);
    }
    assert.deepEqual(new Set(all.map(({ type }) => type)), new Set(EVENT_TYPES));
  });

  it('stays as it is when its lead changes later', async () => {
    const before = await walk({ limit: '100' });
    const { data } = before.find(({ type }) => type === 'lead.created');
    await patch(200, data.lead.id, { first_name: 'Later' });
    const after = await walked(before.length + 1, { limit: '100' });
    assert.deepEqual(after.slice(0, -1), before);
  });
});
