import { streamRoutes } from '@leadwire/contract/dashboard';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { addressOf } from './call.ts';
import type { ReadName } from './hooks.ts';
import { type Changing, type LiveState, listenWhileVisible } from './live-stream.ts';

const THROTTLE_MS = 1_000;

/**
 * Reads again what is shown when it changes: `useLive(account.id, { leads: ['listLeads'] })`. Each answer is read again once a
 * second at most, and only while the page can be seen: a hidden one has no connection open.
 */
export function useLive(
  account: string,
  refreshes: Partial<Record<Changing, readonly ReadName[]>>,
): LiveState {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  // The latest without a new connection for each.
  const wanted = useRef(refreshes);
  wanted.current = refreshes;
  useEffect(() => {
    const stale = createStale(client);
    const stop = listenWhileVisible(addressOf(streamRoutes.watchAccount.path, { account }), {
      onState: setState,
      onChanged: (what) => stale.add(what.flatMap((one) => wanted.current[one] ?? [])),
    });
    return () => {
      stop();
      stale.stop();
    };
  }, [account, client]);
  return state;
}

/** Gathers what is to be read again. */
function createStale(client: QueryClient) {
  const names = new Set<ReadName>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function readAgain() {
    timer = undefined;
    if (names.size === 0) return;
    for (const name of names) {
      // One that is on its way is let finish: it would never, where changes come faster than it.
      void client.invalidateQueries({ queryKey: [name] }, { cancelRefetch: false });
    }
    names.clear();
    timer = setTimeout(readAgain, THROTTLE_MS);
  }

  return {
    add(some: readonly ReadName[]): void {
      for (const name of some) names.add(name);
      if (timer === undefined) readAgain();
    },
    stop: () => clearTimeout(timer),
  };
}
