import { isIPv4, isIPv6 } from 'node:net';

/**
 * Whom an address stands for when failures are counted: an IPv4 address itself; of IPv6 the /64,
 * which is the least that one customer is given (RFC 6177); an IPv4-mapped address (RFC 4291,
 * 2.5.5.2) its IPv4 address. Anything else is `unknown`, so that made-up text shares one count.
 */
export function clientNetwork(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return 'unknown';
  const groups = groupsOf(address);
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (mapped) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  const prefix = groups.slice(0, 4).map((group) => group.toString(16));
  return `${prefix.join(':')}::/64`;
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const [plain = ''] = address.split('%');
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':').flatMap(groupValues);
  const after = tail === undefined || tail === '' ? [] : tail.split(':').flatMap(groupValues);
  return [...before, ...Array(8 - before.length - after.length).fill(0), ...after];
}

function groupValues(text: string): number[] {
  if (!text.includes('.')) return [Number.parseInt(text, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}
