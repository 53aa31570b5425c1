import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isPassing, isSignedOut } from '../api/index.ts';

const STALE_MS = 5_000;
const MOST_TRIES_AGAIN = 2;

/**
 * What the page knows of the service. `onSignedOut` is called whenever an answer says that the session is over, and told
 * whether it was one to a change.
 */
export function createQueryClient(onSignedOut: (wasChange: boolean) => void): QueryClient {
  const onErrorOf = (wasChange: boolean) => (error: unknown) => {
    if (isSignedOut(error)) onSignedOut(wasChange);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: onErrorOf(false) }),
    mutationCache: new MutationCache({ onError: onErrorOf(true) }),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (tries, error) => isPassing(error) && tries < MOST_TRIES_AGAIN,
        // A machine without a network still reaches a service on itself.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
