import { LRUCache } from 'lru-cache';
import { clientNetwork } from './client-network.ts';
import { decided, type RateDecision } from './decision.ts';

export type FailedAuthLimit = {
  /** Whether this client has used up its failures and must wait for the window to end. */
  blocked(address: string | undefined): boolean;
  /** Counts one failed authentication; `allowed` is false for those above max. */
  record(address: string | undefined): RateDecision;
};

export type FailedAuthLimitDeps = {
  max?: number;
  windowSeconds?: number;
  /** Addresses remembered at once; beyond it the one seen longest ago is forgotten. */
  maxAddresses?: number;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
};

type Failures = { count: number; endsAt: number };

/**
 * Failed authentications per client address (IPv6: per /64) in a fixed window, in this process
 * alone: an attacker must not be able to make the service ask Redis. Memory is bounded by
 * `maxAddresses`, whatever addresses the attacker has.
 */
export function createFailedAuthLimit(deps: FailedAuthLimitDeps = {}): FailedAuthLimit {
  const { max = 300, windowSeconds = 60, maxAddresses = 20_000 } = deps;
  const now = deps.now ?? (() => performance.now());
  const limit = { max, windowSeconds };
  const seen = new LRUCache<string, Failures>({ max: maxAddresses });

  /** Reading makes a client the latest seen: one that keeps trying is not forgotten. */
  function running(network: string): Failures | undefined {
    const failures = seen.get(network);
    if (failures === undefined || failures.endsAt > now()) return failures;
    seen.delete(network);
    return undefined;
  }

  return {
    blocked(address) {
      if (seen.size === 0) return false;
      const failures = running(clientNetwork(address));
      return failures !== undefined && failures.count >= max;
    },
    record(address) {
      const network = clientNetwork(address);
      let failures = running(network);
      if (failures === undefined) {
        failures = { count: 0, endsAt: now() + windowSeconds * 1000 };
        seen.set(network, failures);
      }
      failures.count += 1;
      return decided(limit, failures.count <= max, failures.count, failures.endsAt - now());
    },
  };
}
