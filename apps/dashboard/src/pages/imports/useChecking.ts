import { useQueryClient } from '@tanstack/react-query';
import { type ApiError, useChange } from '../../api/index.ts';
import type { ImportParams } from './params.ts';
import { byField, keepImport, type SettingsForm } from './useSettings.ts';

export type Checking = {
  check: () => void;
  start: () => void;
  isPending: boolean;
  /** Forgets the errors: a setting was changed since. */
  forget: () => void;
  /** Of settings, by their name. */
  errors: Readonly<Record<string, string>>;
  error: ApiError | null;
};

/** Checking and starting, each once every setting is stored. */
export function useChecking(settings: SettingsForm, params: ImportParams): Checking {
  const client = useQueryClient();
  const keep = {
    onSuccess: (answer: Parameters<typeof keepImport>[2]) => keepImport(client, params, answer),
  };
  const check = useChange('checkImport', keep);
  const start = useChange('startImport', keep);
  const error = check.error ?? start.error;
  const forget = () => {
    check.reset();
    start.reset();
  };
  const once = async (act: typeof check | typeof start) => {
    forget();
    if (await settings.settled()) act.mutate({ params });
  };
  return {
    check: () => void once(check),
    start: () => void once(start),
    forget,
    isPending: check.isPending || start.isPending,
    errors: byField(error),
    error,
  };
}
