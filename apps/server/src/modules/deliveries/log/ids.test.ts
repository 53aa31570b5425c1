import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createIds, firstUuidAt } from '../../../platform/ids/index.ts';
import { cursorOf, deliveryIdOf, msOfUuid, parseCursor, parseDeliveryId } from './ids.ts';

const EVENT = '019bc1a5-8f3c-7a80-b6e2-d4f60718293a';
const WEBHOOK = '019bc1b0-7d2e-7f45-a1c8-e9b6d5041f3a';

describe('the id of a delivery', () => {
  test('names its event and its webhook, and is read back', () => {
    const id = deliveryIdOf(EVENT, WEBHOOK);
    assert.match(id, /^dlv_[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(parseDeliveryId(id), { eventId: EVENT, webhookId: WEBHOOK });
    assert.notEqual(deliveryIdOf(WEBHOOK, EVENT), id);
  });

  test('has one spelling: no other text is read as it', () => {
    const id = deliveryIdOf(EVENT, WEBHOOK);
    const others = [`${id}=`, `${id} `, ` ${id}`, id.slice(4), `wh_${id.slice(4)}`, `${id}A`];
    // The last character holds four bits of the 256, and two that must be zero.
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      const text = id.slice(0, -1) + last;
      const read = parseDeliveryId(text);
      if (read) assert.equal(deliveryIdOf(read.eventId, read.webhookId), text);
    }
    for (const text of ['', 'dlv_', 'dlv_x', id.slice(0, -1), ...others]) {
      assert.equal(parseDeliveryId(text), null, text);
    }
  });
});

test('a cursor is read back, and nothing else is one', () => {
  assert.equal(parseCursor(cursorOf(EVENT)), EVENT);
  for (const text of ['', 'x', EVENT, `${cursorOf(EVENT)}=`, `${cursorOf(EVENT)}AA`]) {
    assert.equal(parseCursor(text), null, text);
  }
});

test('the first UUID of a millisecond sorts before all that are made in it, and after all before', () => {
  for (const ms of [0, 1, 1_768_473_000_123, 2 ** 48 - 1]) {
    const made = createIds(() => ms)();
    if (ms > 0) assert.ok(firstUuidAt(ms) <= made);
    if (ms > 0) assert.ok(createIds(() => ms - 1)() < firstUuidAt(ms) || ms === 1);
    assert.equal(msOfUuid(firstUuidAt(ms)), ms);
  }
  assert.equal(firstUuidAt(-5), firstUuidAt(0));
  assert.equal(firstUuidAt(2 ** 50), firstUuidAt(2 ** 48 - 1));
});
