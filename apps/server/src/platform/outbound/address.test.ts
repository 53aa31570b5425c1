import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isPublicAddress } from './address.ts';

/** The first and the last address of each range, beside which the next ones are public. */
const REFUSED: Record<string, string[]> = {
  'this network (RFC 791)': ['0.0.0.0', '0.255.255.255'],
  'private (RFC 1918)': ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255'],
  'private, the smallest (RFC 1918)': ['192.168.0.0', '192.168.255.255'],
  'carrier-grade NAT (RFC 6598)': ['100.64.0.0', '100.127.255.255', '100.100.100.200'],
  'loopback (RFC 1122)': ['127.0.0.0', '127.255.255.255'],
  'link-local and metadata (RFC 3927)': ['169.254.0.0', '169.254.169.254', '169.254.255.255'],
  'protocol assignments (RFC 6890)': ['192.0.0.0', '192.0.0.192', '192.0.0.255'],
  'documentation (RFC 5737)': ['192.0.2.1', '198.51.100.1', '203.0.113.255'],
  '6to4 relays (RFC 7526)': ['192.88.99.1'],
  'benchmarking (RFC 2544)': ['198.18.0.0', '198.19.255.255'],
  'multicast (RFC 5771)': ['224.0.0.0', '239.255.255.255'],
  'reserved (RFC 1112)': ['240.0.0.0', '255.255.255.254'],
  'broadcast (RFC 919)': ['255.255.255.255'],
  'metadata of a cloud, in a public range': ['168.63.129.16', '::ffff:168.63.129.16'],
  'unspecified and loopback (RFC 4291)': ['::', '::1'],
  'IPv4-compatible (RFC 4291)': ['::8.8.8.8', '::808:808', '::7f00:1'],
  'mapped (RFC 4291)': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:a00:1', '::FFFF:10.0.0.1'],
  'translated (RFC 2765)': ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  'NAT64 (RFC 6052)': ['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::10.0.0.1'],
  'NAT64 of a network of its own (RFC 8215)': ['64:ff9b:1::1', '64:ff9b:1::8.8.8.8'],
  'NAT64 with more than an address in it': ['64:ff9b:0:1::8.8.8.8'],
  'discard (RFC 6666)': ['100::1'],
  'Teredo (RFC 4380)': ['2001::1', '2001:0:ffff::1'],
  'benchmarking (RFC 5180)': ['2001:2::1'],
  'ORCHID (RFC 7343)': ['2001:10::1', '2001:20::1', '2001:2f:ffff::1'],
  'documentation (RFC 3849, RFC 9637)': ['2001:db8::1', '3fff::1', '3fff:fff:ffff::1'],
  '6to4 (RFC 3056)': ['2002:7f00:1::', '2002:808:808::1', '2002:ffff::1'],
  'ISATAP (RFC 5214)': ['2606:4700::5efe:10.0.0.1', '2606:4700::200:5efe:a00:1'],
  'unique local (RFC 4193)': ['fc00::1', 'fd00:ec2::254', 'fdff:ffff::1'],
  'link-local (RFC 4291)': ['fe80::1', 'febf::1', 'fe80::1%eth0'],
  'site-local (RFC 3879)': ['fec0::1', 'feff::1'],
  'multicast (RFC 4291)': ['ff00::1', 'ff02::1', 'ff0e::1'],
  'not given out as unicast': ['4000::1', '1::1', '5f00::1', 'e000::1'],
  'a zone on a public address': ['2606:4700::1%eth0'],
  'no address': [
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '2130706433',
    '[::1]',
    '1.2',
  ],
};

const PUBLIC = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.1', '169.253.255.255', '169.255.0.0', '172.15.255.255'],
  ...['172.32.0.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
  ...['223.255.255.255', '168.63.129.15', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'],
  ...['2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2001:4860:4860::8888', '2400::1'],
];

describe('an address that is not plainly public is refused', () => {
  for (const [range, addresses] of Object.entries(REFUSED)) {
    test(range, () => {
      for (const address of addresses) assert.equal(isPublicAddress(address), false, address);
    });
  }
});

test('a public address is allowed, also right beside a reserved range', () => {
  for (const address of PUBLIC) assert.equal(isPublicAddress(address), true, address);
});
