import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ConflictError,
  DeadlineError,
  type LeadInput,
  type LeadwireError,
  NotFoundError,
  ValidationError,
} from './index.ts';
import { LEAD, openScene } from './testing/scene.ts';
import { failure, type Step } from './testing/scripted-server.ts';

const { server, client } = await openScene();
const conflict = failure(409, 'conflict');
const read = (n: number): Step => ({
  status: 200,
  headers: { etag: `"${n}"` },
  body: { ok: true, lead: { ...LEAD, id: 'uuid-1', custom_fields: { n } } },
});
const written: Step = {
  status: 200,
  headers: { etag: '"9"' },
  body: { ok: true, lead: LEAD, changed: ['custom_fields'] },
};
const requests = () => server.seen.map(({ method, url }) => `${method} ${url}`);

describe('patchWith', () => {
  test('reads again and merges again after each conflict', async () => {
    server.play(read(1), conflict, read(2), conflict, read(3), written);
    const answer = await client().leads.patchWith('a/b', ({ custom_fields }) => ({
      custom_fields: { n: Number(custom_fields.n) + 10 },
    }));
    assert.deepEqual([answer.etag, answer.changed], ['"9"', ['custom_fields']]);
    const path = '/api/v1/insertion/leads';
    assert.deepEqual(
      requests(),
      Array(3)
        .fill([`GET ${path}/a%2Fb`, `PATCH ${path}/uuid-1`])
        .flat(),
    );
    const patches = server.seen.filter(({ method }) => method === 'PATCH');
    assert.deepEqual(
      patches.map(({ body, headers }) => [JSON.parse(body).custom_fields.n, headers['if-match']]),
      [
        [11, '"1"'],
        [12, '"2"'],
        [13, '"3"'],
      ],
    );
  });

  test('takes an ETag that a proxy has made weak', async () => {
    const weak = {
      status: 200,
      headers: { etag: 'W/"1"' },
      body: { ok: true, lead: { ...LEAD, id: 'uuid-1' } },
    };
    server.play(weak, written);
    await client().leads.patchWith('a', () => ({ status: 'contacted' }));
    assert.equal(server.seen.at(-1)?.headers['if-match'], '"1"');
  });

  test('an ifMatch that no header takes is refused before anything is sent', async () => {
    server.play();
    for (const ifMatch of ['', '"1"\r\nx: y', '"…"']) {
      const patched = client().leads.patch('a', { status: 'new' }, { ifMatch });
      await assert.rejects(patched, { code: 'invalid_option' });
    }
    assert.equal(server.seen.length, 0);
  });

  test('gives up after five conflicts', async () => {
    server.play(
      ...Array(9)
        .fill([read(1), conflict])
        .flat(),
    );
    await assert.rejects(
      client().leads.patchWith('a', () => ({ status: 'contacted' })),
      ConflictError,
    );
    assert.equal(server.seen.length, 10);
  });

  test('waits for changes that take time, and throws what they throw', async () => {
    server.play(read(1), written, read(1));
    const { leads } = client();
    await leads.patchWith('a', async () => ({ status: 'contacted' }));
    const own = new Error('own');
    await assert.rejects(
      leads.patchWith('a', () => {
        throw own;
      }),
      own,
    );
  });

  test('of no changes writes nothing', async () => {
    server.play(read(1));
    const { changed } = await client().leads.patchWith('a', () => ({}));
    assert.deepEqual(changed, []);
    assert.equal(server.seen.length, 1);
  });
});

describe('insertMany', () => {
  const rows = (count: number) => Array.from({ length: count }, () => LEAD);
  const answer: Step = ({ body }) => {
    const { length } = JSON.parse(body).leads;
    const results = Array.from({ length }, (_, index) => ({
      index,
      status: 'inserted',
      lead_id: 'x',
    }));
    const counts = { inserted: length, patched: 0, deduped: 0, failed: 0 };
    return { status: 200, body: { ok: true, results, counts } };
  };
  const sizes = () => server.seen.map(({ body }) => JSON.parse(body).leads.length);
  const tooMany = failure(400, 'leads has more than allowed', {
    body: { errors: [{ path: 'leads', code: 'over_rate_limit', message: '' }] },
  });

  test('of nothing sends nothing', async () => {
    server.play();
    assert.deepEqual((await client().leads.insertMany([])).results, []);
    assert.equal(server.seen.length, 0);
  });

  test('that fails in a later batch tells what was done before', async () => {
    server.play(answer, failure(500, 'internal_error'), answer, failure(403, 'scope_required:x'));
    await assert.rejects(client().leads.insertMany(rows(2500)), (error: ValidationError) => {
      assert.equal(error.code, 'scope_required:x');
      assert.equal(error.completed?.results.length, 2000);
      assert.equal(error.completed?.results.at(-1)?.index, 1999);
      assert.equal(error.completed?.counts.inserted, 2000);
      return true;
    });
  });

  test('of a row that is no JSON names it, and tells what was done before', async () => {
    server.play(answer);
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const custom_fields of [{ n: 1n }, circle]) {
      server.play(answer);
      const all = [...rows(1000), { ...LEAD, custom_fields }];
      await assert.rejects(client().leads.insertMany(all), (error: LeadwireError) => {
        assert.equal(error.code, 'invalid_body');
        assert.match(error.message, /^leads\[1000\] cannot be written as JSON/);
        assert.equal(error.completed?.results.length, 1000);
        return true;
      });
    }
    const alone = client().leads.insert({ ...LEAD, custom_fields: circle });
    await assert.rejects(alone, { code: 'invalid_body' });
  });

  test('halves what the limit of the key does not take, from then on', async () => {
    server.play(tooMany, tooMany, ...Array(9).fill(answer));
    const { counts } = await client().leads.insertMany(rows(1200));
    assert.equal(counts.inserted, 1200);
    assert.deepEqual(sizes(), [1000, 500, 250, 250, 250, 250, 200]);
  });

  test('throws where the limit takes not even one', async () => {
    server.play(...Array(3).fill(tooMany));
    await assert.rejects(client().leads.insertMany(rows(2)), ValidationError);
    assert.equal(server.seen.length, 2);
  });

  test('has the time of a call for each batch, unless the call names one', async () => {
    const slow: Step[] = [failure(503, 'unavailable'), failure(503, 'unavailable'), answer];
    server.play(...slow, ...slow, ...slow);
    const { leads } = client({ deadlineMs: 4000 });
    assert.equal((await leads.insertMany(rows(2500))).counts.inserted, 2500);
    server.play(...slow, ...slow);
    await assert.rejects(leads.insertMany(rows(2500), { deadlineMs: 4000 }), (error) => {
      assert.ok(error instanceof DeadlineError);
      assert.equal(error.completed?.results.length, 1000);
      return true;
    });
  });

  test('validates only where it is asked to', async () => {
    server.play(answer, answer);
    await client().leads.insertMany(rows(1), { validateOnly: true });
    await client().leads.insertMany(rows(1));
    const path = '/api/v1/insertion/leads/batch';
    assert.deepEqual(requests(), [`POST ${path}?validate_only=true`, `POST ${path}`]);
  });
});

test('reconcile gives results over all batches in order', async () => {
  const answer: Step = ({ body }) => {
    const { length } = JSON.parse(body).leads;
    const results = Array.from({ length }, (_, index) => ({
      index,
      result: 'missing',
      lead_id: null,
    }));
    return {
      status: 200,
      body: { ok: true, results, counts: { agrees: 0, differs: 0, missing: length } },
    };
  };
  server.play(answer, answer, answer);
  const leads: LeadInput[] = Array.from({ length: 2001 }, (_, n) => ({
    ...LEAD,
    external_lead_id: `${n}`,
  }));
  const { results, counts } = await client().leads.reconcile(leads, { fields: ['phone'] });
  assert.deepEqual(
    results.map(({ index }) => index),
    leads.map((_, index) => index),
  );
  assert.equal(counts.missing, 2001);
  const sent = server.seen.map(({ body }) => JSON.parse(body));
  assert.deepEqual(
    sent.map(({ leads, fields }) => [leads.length, fields]),
    [
      [1000, ['phone']],
      [1000, ['phone']],
      [1, ['phone']],
    ],
  );
  assert.deepEqual(Object.keys(sent[0].leads[0]).sort(), [
    'campaign_id',
    'content_hash',
    'external_lead_id',
  ]);
});

describe('ids that URL parsers swallow', () => {
  test('are looked up in the list', async () => {
    const found: Step = {
      status: 200,
      body: { ok: true, leads: [{ id: 'uuid-7' }], nextCursor: null },
    };
    server.play(found, read(1));
    await client().leads.get('..');
    const path = '/api/v1/insertion/leads';
    assert.deepEqual(requests(), [`GET ${path}?external_lead_id=..&limit=1`, `GET ${path}/uuid-7`]);
  });

  test('are not found where the list has none', async () => {
    server.play({ status: 200, body: { ok: true, leads: [], nextCursor: null } });
    await assert.rejects(client().leads.get('.'), NotFoundError);
  });
});

test('pages are asked for only as they are needed, each with the cursor of the one before', async () => {
  const page = (id: string, nextCursor: string | null): Step => ({
    status: 200,
    body: { ok: true, leads: [{ id }], nextCursor },
  });
  server.play(
    page('1', '2026-01-15T10:30:00.000002Z'),
    page('2', '2026-01-15T10:30:00.000001Z'),
    page('3', null),
  );
  for await (const { id } of client().leads.each({ campaign_id: 7 })) if (id === '2') break;
  const path = '/api/v1/insertion/leads?campaign_id=7';
  assert.deepEqual(requests(), [
    `GET ${path}`,
    `GET ${path}&cursor=2026-01-15T10%3A30%3A00.000002Z`,
  ]);
});
