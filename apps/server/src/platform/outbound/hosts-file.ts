import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

const FRESH_MS = 5000;

export type HostsFile = { addressesOf(name: string): Promise<string[]> };

/** The names that the machine's hosts file knows (hosts(5)), read again when it was read a while ago. */
export function createHostsFile(
  read = () => readFile('/etc/hosts', 'utf8'),
  now: () => number = () => performance.now(),
): HostsFile {
  let known: Promise<Map<string, string[]>> | null = null;
  let readAt = 0;
  return {
    async addressesOf(name) {
      if (known === null || now() - readAt > FRESH_MS) {
        readAt = now();
        known = read().then(parseHosts, () => new Map());
      }
      return (await known).get(name) ?? [];
    },
  };
}

function parseHosts(text: string): Map<string, string[]> {
  const known = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names.map((each) => each.toLowerCase())) {
      known.set(name, [...(known.get(name) ?? []), address]);
    }
  }
  return known;
}
