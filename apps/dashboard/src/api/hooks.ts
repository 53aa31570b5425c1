import type { DashboardRouteName, DashboardRoutes } from '@leadwire/contract/dashboard';
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef } from 'react';
import { type Answer, type CallInput, call } from './call.ts';
import type { ApiError } from './errors.ts';

/** The routes that only read. */
export type ReadName = {
  [Name in DashboardRouteName]: DashboardRoutes[Name]['method'] extends 'GET' ? Name : never;
}[DashboardRouteName];
export type ChangeName = Exclude<DashboardRouteName, ReadName>;

/** Key and function of a reading route, for the router's loaders and the hooks alike. */
export const apiQuery = <Name extends ReadName>(name: Name, input: CallInput<Name>) =>
  queryOptions<Answer<Name>, ApiError, Answer<Name>, readonly unknown[]>({
    queryKey: [name, input.params ?? {}, input.query ?? {}],
    queryFn: ({ signal }) => call(name, input, { signal }),
  });

type ReadOptions<Name extends ReadName> = Pick<
  UseQueryOptions<Answer<Name>, ApiError, Answer<Name>, readonly unknown[]>,
  'enabled' | 'refetchInterval' | 'staleTime' | 'gcTime'
> & {
  /** Shows the last answer while the next one, of another query, is on its way. */
  keepPrevious?: boolean;
};

/** Reads a route: `const leads = useApi('listLeads', { params: { account }, query })`. */
export function useApi<Name extends ReadName>(
  name: Name,
  input: CallInput<Name>,
  { keepPrevious, ...options }: ReadOptions<Name> = {},
): UseQueryResult<Answer<Name>, ApiError> {
  return useQuery<Answer<Name>, ApiError, Answer<Name>, readonly unknown[]>({
    ...apiQuery(name, input),
    ...options,
    ...(keepPrevious ? { placeholderData: keepPreviousData as never } : {}),
  });
}

export type ChangeOptions<Name extends ChangeName> = {
  refreshes?: readonly ReadName[];
  onSuccess?: (answer: Answer<Name>, input: CallInput<Name>) => unknown;
  onError?: (error: ApiError) => void;
};

/**
 * Changes something by a route: `const revoke = useChange('revokeKey', { refreshes: ['listKeys', 'getKey'] })`, then
 * `revoke.mutate({ params })`. What it `refreshes` is read again. The answer is not kept when the component goes.
 * `mutate` does nothing while an earlier one is on its way: Enter pressed twice makes one thing.
 */
export function useChange<Name extends ChangeName>(name: Name, options: ChangeOptions<Name> = {}) {
  const client = useQueryClient();
  // Not `isPending`: the second press comes before the button is drawn as busy.
  const isUnderWay = useRef(false);
  const mutation = useMutation<Answer<Name>, ApiError, CallInput<Name>>({
    mutationFn: (input) =>
      call(name, input, { as: client.getQueryData(apiQuery('getMe', {}).queryKey)?.id }),
    gcTime: 0,
    onSuccess: async (answer, input) => {
      await options.onSuccess?.(answer, input);
      refresh(client, options.refreshes ?? []);
    },
    onError: (error) => options.onError?.(error),
    onSettled: () => {
      isUnderWay.current = false;
    },
  });
  const mutate: typeof mutation.mutate = (...args) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    mutation.mutate(...args);
  };
  return { ...mutation, mutate };
}

/** Has every kept answer of these routes read again where it is shown. */
export function refresh(client: QueryClient, names: readonly ReadName[]): void {
  for (const name of names) void client.invalidateQueries({ queryKey: [name] });
}
