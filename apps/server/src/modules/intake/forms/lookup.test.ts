import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../../platform/database/index.ts';
import type { VerifiedKey } from '../../api-keys/index.ts';
import { createLookup } from './lookup.ts';

const HEX = '019bc1b07d2e7f45a1c8e9b6d5041f3a';
const ID = `form_${HEX}`;

/** A store with one form, and keys by their ids. */
function setUp() {
  const row = {
    ...{ ord: 1, accountId: 'a', id: HEX, active: true, name: 'F', campaignId: 1, keyId: 'old' },
    ...{ fields: '[]', consentVersion: 1, consentRequired: true, minFillSeconds: 0 },
    ...{ allowedOrigins: [], redirectUrl: null, source: null, defaultCountry: null },
    ...{ perAddressAMinute: 0, googleKeyHash: null, newTexts: '[[1,"One"]]' as string | null },
  };
  const state = { row: row as typeof row | null, asked: 0, nowMs: 0, usable: new Set(['old']) };
  const query = async () => {
    state.asked++;
    return state.row ? [{ ...state.row }] : [];
  };
  const key = { scopes: new Set(['leads:write']), featuresOff: [] } as unknown as VerifiedKey;
  const find = createLookup({
    database: { query } as unknown as Database,
    verifier: { findById: (_account, id) => (state.usable.has(id) ? key : null) },
    featuresOff: [],
    monotonicMs: () => state.nowMs,
  });
  return { state, row, find };
}

test('a form is asked for once in less than a second, by many at once too, and so is one that there is not', async () => {
  const { state, row, find } = setUp();
  const first = await Promise.all([find(ID), find(ID), find(ID)]);
  assert.deepEqual([first.filter(Boolean).length, state.asked], [3, 1]);
  state.row = null;
  state.nowMs = 799;
  assert.ok(await find(ID));
  state.nowMs = 801;
  assert.equal(await find(ID), null);
  assert.equal(state.asked, 2);
  assert.equal(await find(`form_${'0'.repeat(32)}`), null);
  assert.equal(await find(`form_${'0'.repeat(32)}`), null);
  assert.equal(await find('form_x'), null);
  assert.equal(state.asked, 3);
  state.row = { ...row, active: false };
  state.nowMs = 2_000;
  assert.equal(await find(ID), null);
});

test('a form whose key was just replaced is found with the new one, at no moment not at all', async () => {
  const { state, row, find } = setUp();
  assert.equal((await find(ID))?.keyId, 'old');
  state.usable = new Set(['new']);
  state.row = { ...row, keyId: 'new' };
  state.nowMs = 10;
  assert.equal((await find(ID))?.keyId, 'new');
  state.usable = new Set();
  assert.equal(await find(ID), null);
});

test('texts of a consent that are known stay so when a newer one comes', async () => {
  const { state, row, find } = setUp();
  await find(ID);
  state.nowMs = 1_000;
  state.row = { ...row, consentVersion: 2, newTexts: '[[2,"Two"]]' };
  assert.deepEqual(
    [...((await find(ID))?.consentTexts ?? [])],
    [
      [1, 'One'],
      [2, 'Two'],
    ],
  );
  state.nowMs = 2_000;
  state.row = { ...row, consentVersion: null as never, newTexts: null };
  const form = await find(ID);
  assert.deepEqual([form?.consent, form?.consentTexts.size], [null, 2]);
});
