import { type QueryClient, queryOptions, skipToken, useQuery } from '@tanstack/react-query';

const ended = queryOptions({
  queryKey: ['session-ended'],
  queryFn: skipToken,
  initialData: false,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Whether the session ended while something was being written: then the sign-in comes over the page, which stays. */
export const useSessionEnded = (): boolean => useQuery(ended).data ?? false;

export const isSessionEnded = (client: QueryClient): boolean =>
  client.getQueryData(ended.queryKey) ?? false;

export const setSessionEnded = (client: QueryClient, value: boolean): void => {
  client.setQueryData(ended.queryKey, value);
};
