import { useQuery } from '@tanstack/react-query';
import { type OpenApi, readDocument, type Section } from './document.ts';

/** The reference of this very service, read when it is first looked at. */
export const useReference = () =>
  useQuery<Section[]>({
    queryKey: ['openapi.json'],
    queryFn: async ({ signal }) => {
      const response = await fetch('/openapi.json', { signal });
      if (!response.ok) throw new Error(`/openapi.json answered ${response.status}.`);
      return readDocument((await response.json()) as OpenApi, window.location.origin);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
