import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { detailOf, TransportFailure } from './failure.ts';
import { createHostsFile, type HostsFile } from './hosts-file.ts';
import { isLocalhost } from './target.ts';

/** The addresses of a name, the one to try first in front. Rejects with a TransportFailure where there are none. */
export type Resolve = (name: string) => Promise<string[]>;

/** Two of the four threads that getaddrinfo shares with file access and cryptography. */
const MAX_SYSTEM_LOOKUPS = 2;
const QUERY_TIMEOUT_MS = 3000;
const QUERY_TRIES = 2;
/** RFC 8305, 3: how long one family waits for the other. */
const OTHER_FAMILY_WAIT_MS = 50;

export type Query = (name: string, family: 4 | 6) => Promise<string[]>;

export type NamesDeps = {
  /** Also ask the machine's own resolver (search domains, mDNS), which knows names that DNS does not. */
  useSystem: boolean;
  hostsFile?: HostsFile;
  query?: Query;
  lookup?: (name: string) => Promise<string[]>;
};

/**
 * Resolves names by DNS queries of its own instead of getaddrinfo, whose few threads names that hang would hold from
 * everybody else. Look-ups of one name in flight are one.
 */
export function createNames(deps: NamesDeps): Resolve {
  const { useSystem, hostsFile = createHostsFile(), query = createDnsQuery() } = deps;
  const lookup = boundLookups(deps.lookup ?? askSystem);
  const inFlight = new Map<string, Promise<string[]>>();

  async function find(name: string): Promise<string[]> {
    if (isLocalhost(name)) return ['127.0.0.1', '::1'];
    const fixed = await hostsFile.addressesOf(name);
    if (fixed.length > 0) return fixed;
    try {
      return await queryBothFamilies(query, name);
    } catch (error) {
      const found = useSystem ? await lookup(name).catch(() => []) : [];
      if (found.length > 0) return found;
      throw new TransportFailure('name_not_resolved', detailOf(error as Error));
    }
  }

  return (name) => {
    const key = name.toLowerCase();
    const running = inFlight.get(key);
    if (running) return running;
    const started = find(key).finally(() => inFlight.delete(key));
    inFlight.set(key, started);
    return started;
  };
}

/** IPv4 in front: the caller races the families anyway, and hosts without an IPv6 route are the more common kind. */
async function queryBothFamilies(query: Query, name: string): Promise<string[]> {
  const found: Record<4 | 6, string[]> = { 4: [], 6: [] };
  const ask = async (family: 4 | 6) => {
    found[family] = await query(name, family);
    if (found[family].length === 0) throw new Error('ENODATA');
  };
  const both = [ask(4), ask(6)] as const;
  const settled = Promise.allSettled(both);
  // A name server that drops AAAA questions must not hold up one that has answered A.
  const soonAfterOne = Promise.any(both).then(
    () => wait(OTHER_FAMILY_WAIT_MS, undefined, { ref: false }),
    () => undefined,
  );
  await Promise.race([settled, soonAfterOne]);
  const addresses = [...found[4], ...found[6]];
  if (addresses.length > 0) return addresses;
  const [v4] = await settled;
  throw (v4 as PromiseRejectedResult).reason;
}

function createDnsQuery(): Query {
  let resolver: Resolver | null = null;
  return async (name, family) => {
    resolver ??= new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    const asked = resolver;
    try {
      return await (family === 4 ? asked.resolve4(name) : asked.resolve6(name));
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      // A resolver reads the list of name servers once: read it anew where those do not answer.
      if (resolver === asked && ['ETIMEOUT', 'ECONNREFUSED'].includes(code)) resolver = null;
      throw error;
    }
  };
}

async function askSystem(name: string): Promise<string[]> {
  const found = await systemLookup(name, { all: true, order: 'ipv4first' });
  return found.map(({ address }) => address);
}

function boundLookups(lookup: (name: string) => Promise<string[]>) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (name: string): Promise<string[]> => {
    if (running >= MAX_SYSTEM_LOOKUPS) await new Promise<void>((go) => waiting.push(go));
    else running++;
    try {
      return await lookup(name);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
