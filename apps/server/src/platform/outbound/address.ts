import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Answers from outside of every range that the registries call special, and yet belongs to the host's own network. */
const METADATA = new Set(['168.63.129.16']);

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96') as [ipaddr.IPv6, number];

/**
 * Whether an address (text as the system or a resolver writes it, no brackets) is plainly global unicast: of nothing
 * that the IANA special-purpose registries (RFC 6890) list. Mapped (RFC 4291) and well-known NAT64 addresses
 * (RFC 6052) are judged by the IPv4 address in them, which is where they lead; 6to4, Teredo, ISATAP and the other
 * forms that carry one are not global, whatever they carry.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  if (!isIPv6(address)) return isPublicV4(ipaddr.IPv4.parse(address));
  // The library takes ::1.2.3.4 for a mapped address; a URL writes IPv6 in hexadecimal alone.
  const parsed = ipaddr.IPv6.parse(new URL(`http://[${address}]`).hostname.slice(1, -1));
  if (parsed.isIPv4MappedAddress()) return isPublicV4(parsed.toIPv4Address());
  if (parsed.match(NAT64)) return isPublicV4(new ipaddr.IPv4(parsed.toByteArray().slice(12)));
  return parsed.match(GLOBAL_UNICAST) && parsed.range() === 'unicast' && !isIsatap(parsed);
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !METADATA.has(address.toString());
}

/** RFC 5214: an interface identifier of 0000:5efe or 0200:5efe and an IPv4 address. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);
}
