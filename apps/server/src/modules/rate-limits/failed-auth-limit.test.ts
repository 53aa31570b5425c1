import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clientNetwork } from './client-network.ts';
import { createFailedAuthLimit } from './index.ts';

describe('failed authentication per client address', () => {
  test('a client is blocked once its failures are used up, until the window ends', () => {
    let now = 5000;
    const failures = createFailedAuthLimit({ max: 3, windowSeconds: 60, now: () => now });
    for (const left of [2, 1, 0]) {
      assert.equal(failures.blocked('192.0.2.1'), false);
      const counted = failures.record('192.0.2.1');
      assert.deepEqual([counted.allowed, counted.left], [true, left]);
    }
    now += 59_999;
    assert.equal(failures.blocked('192.0.2.1'), true);
    const above = failures.record('192.0.2.1');
    assert.deepEqual([above.allowed, above.left, above.resetSeconds], [false, 0, 1]);
    now += 1;
    assert.equal(failures.blocked('192.0.2.1'), false);
    assert.equal(failures.record('192.0.2.1').left, 2);
  });

  test('300 failures in a minute are allowed unless told otherwise', () => {
    const failures = createFailedAuthLimit();
    for (let failure = 0; failure < 300; failure++) {
      assert.equal(failures.blocked('192.0.2.1'), false);
      assert.equal(failures.record('192.0.2.1').allowed, true);
    }
    assert.equal(failures.blocked('192.0.2.1'), true);
    assert.equal(failures.record('192.0.2.1').windowSeconds, 60);
  });

  test('clients do not block each other', () => {
    const failures = createFailedAuthLimit({ max: 1 });
    failures.record('192.0.2.1');
    failures.record('2001:db8:0:1::1');
    assert.equal(failures.blocked('192.0.2.1'), true);
    assert.equal(failures.blocked('192.0.2.2'), false);
    assert.equal(failures.blocked('2001:db8:0:2::1'), false);
  });

  test('a /64 of IPv6 and a mapped IPv4 address count as one client', () => {
    const failures = createFailedAuthLimit({ max: 1 });
    failures.record('2001:db8:0:1::1');
    assert.equal(failures.blocked('2001:db8:0:1:ffff::abcd'), true);
    failures.record('::ffff:192.0.2.9');
    assert.equal(failures.blocked('192.0.2.9'), true);
  });

  test('an attacker with many addresses is remembered only up to the cap', () => {
    const failures = createFailedAuthLimit({ max: 1, maxAddresses: 100 });
    const addresses = Array.from({ length: 1000 }, (_, n) => `10.0.${n >> 8}.${n & 255}`);
    for (const address of addresses) failures.record(address);
    assert.equal(addresses.filter((address) => failures.blocked(address)).length, 100);
  });

  test('a blocked client that keeps trying stays blocked while others come', () => {
    const failures = createFailedAuthLimit({ max: 1, maxAddresses: 100 });
    failures.record('192.0.2.1');
    for (let n = 0; n < 1000; n++) {
      assert.equal(failures.blocked('192.0.2.1'), true);
      failures.record(`10.0.${n >> 8}.${n & 255}`);
    }
  });
});

test('an address is reduced to the network of one client', () => {
  const expected = [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:a:b:c:d:e:f', '2001:db8:a:b::/64'],
    ['2001:DB8:000a::1', '2001:db8:a:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['not an address', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ] as const;
  for (const [address, network] of expected) assert.equal(clientNetwork(address), network);
});
