import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isPassing, isSignedOut } from '../api/index.ts';

const STALE_MS = 5_000;
const MOST_TRIES_AGAIN = 2;

/** What the page knows of the service. `onSignedOut` is called whenever an answer says that the session is over. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
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
