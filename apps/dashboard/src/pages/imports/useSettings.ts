import type { Import, ImportSettings } from '@leadwire/contract/dashboard';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, call, fieldErrors, refresh } from '../../api/index.ts';
import type { ImportParams } from './params.ts';
import { createSaver, type Saving } from './saving.ts';

export type SettingsForm = {
  /** As the person set them, stored or not. */
  values: ImportSettings;
  /** What was refused, by the name of the setting, or `columns.3`. */
  errors: Readonly<Record<string, string>>;
  /** Why the last change could not be stored. */
  error: unknown;
  isSaving: boolean;
  change: (changes: Partial<ImportSettings>) => void;
  /** @returns whether everything is stored, once nothing is on its way any more */
  settled: () => Promise<boolean>;
};

const NOTHING: Saving<ImportSettings> = { unsaved: {}, isSaving: false, error: null };

/** The settings of an import, stored as they are made. Give its component the import's id as key. */
export function useSettings(settings: ImportSettings, params: ImportParams): SettingsForm {
  const client = useQueryClient();
  const [saving, setSaving] = useState(NOTHING);
  const [saver] = useState(() =>
    createSaver<ImportSettings>({
      send: async (changes) => {
        const body = changes as Parameters<typeof call<'changeImport'>>[1]['body'];
        const as = client.getQueryData(apiQuery('getMe', {}).queryKey)?.id;
        await keepImport(client, params, await call('changeImport', { params, body }, { as }));
        if (changes.encoding || changes.separator) refresh(client, ['previewImport']);
      },
      onState: setSaving,
    }),
  );
  return {
    values: { ...settings, ...saving.unsaved },
    errors: byField(saving.error),
    error: saving.error,
    isSaving: saving.isSaving,
    change: saver.change,
    settled: saver.settled,
  };
}

/** Shows an answer at once; one that was asked for before it would bring back what was. */
export async function keepImport(
  client: QueryClient,
  params: ImportParams,
  found: Import,
): Promise<void> {
  const { queryKey } = apiQuery('getImport', { params });
  await client.cancelQueries({ queryKey });
  client.setQueryData(queryKey, found);
  refresh(client, ['listImports', 'listBadRows']);
}

/** Errors of settings, as forms name them: `columns[3]` is `columns.3`. */
export const byField = (error: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([path, message]) => [
      path.replace(/\[(\d+)\]/g, '.$1'),
      message,
    ]),
  );
