import { unavailable } from '../errors/index.ts';

export type FairQueue = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

type Limits = {
  maxInFlight: number;
  /** Of one owner. */
  maxInFlightEach: number;
  maxWaitingEach: number;
};

type Owner = { inFlight: number; waiting: (() => void)[] };

/**
 * Runs heavy work with bounds, each owner (an account) by its own: one that asks for much waits for itself, and neither takes all
 * places nor makes others stand behind its queue. Owners with work waiting take turns.
 */
export function createFairQueue(limits: Limits): FairQueue {
  const owners = new Map<string, Owner>();
  let inFlight = 0;

  function startNext() {
    for (const owner of owners.values()) {
      if (inFlight >= limits.maxInFlight) return;
      if (owner.inFlight >= limits.maxInFlightEach) continue;
      const start = owner.waiting.shift();
      if (!start) continue;
      start();
    }
  }

  function enter(name: string): Promise<Owner> {
    const owner = owners.get(name) ?? { inFlight: 0, waiting: [] };
    owners.set(name, owner);
    if (owner.waiting.length >= limits.maxWaitingEach) return Promise.reject(unavailable());
    return new Promise((resolve) => {
      owner.waiting.push(() => {
        inFlight++;
        owner.inFlight++;
        resolve(owner);
      });
      startNext();
    });
  }

  function leave(name: string, owner: Owner) {
    inFlight--;
    owner.inFlight--;
    owners.delete(name);
    // Behind the others for the next turn.
    if (owner.inFlight > 0 || owner.waiting.length > 0) owners.set(name, owner);
    startNext();
  }

  return async (name, work) => {
    const owner = await enter(name);
    try {
      return await work();
    } finally {
      leave(name, owner);
    }
  };
}
