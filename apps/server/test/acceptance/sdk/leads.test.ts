import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  AuthenticationError,
  ConflictError,
  type Lead,
  NotFoundError,
  ScopeError,
  ValidationError,
} from '@leadwire/sdk';
import { createKey } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { all, startScene } from './scene.ts';

const scene = await startScene();
const { leadwire, ours } = scene;
after(() => scene.close());

describe('leads.insert', () => {
  for (const auth of ['hmac', 'bearer'] as const) {
    test(`inserts, dedupes and patches with ${auth}`, async () => {
      const { leads } = scene.clientOf(ours.full, auth);
      const lead = newLead();
      const inserted = await leads.insert(lead);
      assert.equal(inserted.status, 'inserted');
      assert.equal((await leads.insert(lead)).status, 'deduped');
      const patched = await leads.insert({ ...lead, first_name: 'Zoë 🦊' });
      assert.deepEqual([patched.status, patched.changed], ['patched', ['first_name']]);
      assert.equal(patched.lead.id, inserted.lead.id);
    });
  }

  test('refuses what is no lead with each failed constraint', async () => {
    const bad = { campaign_id: 1, external_lead_id: '', phone: '123' };
    await assert.rejects(leadwire.leads.insert(bad), (error) => {
      assert.ok(error instanceof ValidationError);
      assert.equal(error.code, 'validation_failed');
      assert.deepEqual(
        error.errors.map(({ path }) => path),
        ['external_lead_id', 'phone'],
      );
      assert.match(error.message, /leading plus sign/);
      assert.ok(error.requestId);
      return true;
    });
  });

  test('with a wrong secret is refused with what a signer needs', async () => {
    const secret_key = `lwsk_${'0'.repeat(40)}`;
    const stranger = scene.clientOf({ ...ours.full, secret_key });
    await assert.rejects(stranger.leads.insert(newLead()), (error) => {
      assert.ok(error instanceof AuthenticationError);
      assert.equal(error.code, 'invalid_signature');
      assert.ok(error.details);
      return true;
    });
  });

  test('with a key that only reads names the scope', async () => {
    const insert = scene.clientOf(ours.reader).leads.insert(newLead());
    await assert.rejects(insert, (error) => {
      assert.ok(error instanceof ScopeError);
      assert.equal(error.code, 'scope_required:leads:write');
      return true;
    });
  });

  test('with validateOnly writes nothing', async () => {
    const lead = newLead();
    const answer = await leadwire.leads.insert(lead, { validateOnly: true });
    assert.deepEqual([answer.validate_only, answer.status], [true, 'inserted']);
    await assert.rejects(leadwire.leads.get(lead.external_lead_id), NotFoundError);
  });
});

describe('leads.insertMany', () => {
  test('gives the results of several batches in order', async () => {
    const rows = Array.from({ length: 1100 }, (_, n) => newLead(n % 7 === 3 ? { phone: 'x' } : {}));
    const { results, counts } = await leadwire.leads.insertMany(rows);
    assert.deepEqual(
      results.map(({ index }) => index),
      rows.map((_, index) => index),
    );
    assert.deepEqual(
      results.map(({ status }) => status ?? 'failed'),
      rows.map(({ phone }) => (phone === 'x' ? 'failed' : 'inserted')),
    );
    assert.equal(counts.inserted + counts.failed, rows.length);
  });

  test('with a key whose limit takes no whole batch sends smaller ones', async () => {
    const key = await createKey(scene.database.env, ours.id, { rateLimit: '250/1' });
    const rows = Array.from({ length: 300 }, () => newLead());
    const { counts } = await scene.clientOf(key).leads.insertMany(rows);
    assert.equal(counts.inserted, rows.length);
  });

  test('with validateOnly writes nothing', async () => {
    const rows = [newLead(), newLead({ email: 'nobody' })];
    const { counts } = await leadwire.leads.insertMany(rows, { validateOnly: true });
    assert.deepEqual(counts, { inserted: 1, patched: 0, deduped: 0, failed: 1 });
    await assert.rejects(leadwire.leads.get(rows[0].external_lead_id), NotFoundError);
  });
});

describe('a lead of any external id', () => {
  const ids = [
    ...['a/b', '../x', '..%2f', 'with space', 'plus+sign', '%2e', '?#&=', 'q\'u"o`t', 'ünï🦊'],
    ...['.', '..', '...', 'x'.repeat(255), '🦊'.repeat(255), '!*()~', ';:@,$'],
  ];
  for (const id of ids) {
    test(`is read and changed by it: ${id.slice(0, 20)}`, async () => {
      const { lead } = await leadwire.leads.insert(newLead({ external_lead_id: id }));
      assert.equal((await leadwire.leads.get(id)).lead.id, lead.id);
      const patched = await leadwire.leads.patch(id, { status: 'contacted' });
      assert.deepEqual([patched.lead.id, patched.changed], [lead.id, ['status']]);
      const [page] = await all(leadwire.leads.history(id));
      assert.equal(page?.history.length, 2);
      const found = await all(leadwire.leads.each({ external_lead_id: id }));
      assert.deepEqual(
        found.map((one) => one.id),
        [lead.id],
      );
    });
  }

  test('that the account has not is not found', async () => {
    for (const id of ['missing', 'mis/sing', crypto.randomUUID()]) {
      await assert.rejects(leadwire.leads.get(id), NotFoundError);
      await assert.rejects(leadwire.leads.patch(id, { status: 'new' }), NotFoundError);
      await assert.rejects(all(leadwire.leads.history(id)), NotFoundError);
    }
  });

  test('that can be none is refused before it is sent', async () => {
    for (const id of ['', '\ud800']) {
      await assert.rejects(leadwire.leads.get(id), { name: 'LeadwireError', code: 'invalid_id' });
    }
  });
});

describe('leads.patch and patchWith', () => {
  test('patch with an etag of before is a conflict', async () => {
    const { lead } = await leadwire.leads.insert(newLead());
    const { etag } = await leadwire.leads.get(lead.id);
    const first = await leadwire.leads.patch(lead.id, { first_name: 'A' }, { ifMatch: etag });
    assert.notEqual(first.etag, etag);
    await assert.rejects(
      leadwire.leads.patch(lead.id, { first_name: 'B' }, { ifMatch: etag }),
      ConflictError,
    );
  });

  test('patch of nothing is refused', async () => {
    const { lead } = await leadwire.leads.insert(newLead());
    await assert.rejects(leadwire.leads.patch(lead.id, {}), { code: 'empty_body', status: 400 });
  });

  test('patchWith loses no write of those who write at one time', async () => {
    const { lead } = await leadwire.leads.insert(newLead({ custom_fields: { n: 0 } }));
    const countUp = ({ custom_fields }: Lead) => ({
      custom_fields: { n: Number(custom_fields.n) + 1 },
    });
    const writers = [1, 2, 3].map(() => leadwire.leads.patchWith(lead.id, countUp));
    await Promise.all(writers);
    assert.deepEqual((await leadwire.leads.get(lead.id)).lead.custom_fields, { n: 3 });
  });

  test('patchWith of {} writes nothing', async () => {
    const { lead } = await leadwire.leads.insert(newLead());
    const answer = await leadwire.leads.patchWith(lead.id, () => ({}));
    assert.deepEqual([answer.changed, answer.lead], [[], lead]);
    assert.equal((await all(leadwire.leads.history(lead.id)))[0]?.history.length, 1);
  });
});

describe('leads.list', () => {
  test('gives every lead once, newest first, page by page, and again when asked again', async () => {
    const source = 'sdk-list';
    const rows = Array.from({ length: 7 }, () => newLead({ campaign_id: 3, source }));
    const inserted = [];
    for (const row of rows) inserted.unshift((await leadwire.leads.insert(row)).lead.id);
    const list = leadwire.leads.list({ campaign_id: 3, limit: 3 });
    for (const _ of [1, 2]) {
      const pages = await all(list);
      assert.deepEqual(
        pages.map(({ leads }) => leads.length),
        [3, 3, 1],
      );
      assert.equal(pages.at(-1)?.nextCursor, null);
      assert.deepEqual(
        pages.flatMap(({ leads }) => leads.map(({ id }) => id)),
        inserted,
      );
    }
  });

  test('goes on from a cursor, and refuses what is none', async () => {
    const pages = await all(leadwire.leads.list({ campaign_id: 3, limit: 3 }));
    const cursor = pages[0]?.nextCursor ?? '';
    const rest = await all(leadwire.leads.each({ campaign_id: 3, cursor }));
    assert.equal(rest.length, 4);
    await assert.rejects(all(leadwire.leads.list({ cursor: 'nonsense' })), ValidationError);
  });

  test('history goes back page by page', async () => {
    const { lead } = await leadwire.leads.insert(newLead());
    for (const first_name of ['a', 'b', 'c']) await leadwire.leads.patch(lead.id, { first_name });
    const pages = await all(leadwire.leads.history(lead.id, { limit: 3 }));
    assert.deepEqual(
      pages.map(({ history }) => history.map(({ version }) => version)),
      [[4, 3, 2], [1]],
    );
  });
});
