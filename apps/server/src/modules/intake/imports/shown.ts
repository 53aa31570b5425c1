import type { Import } from '@leadwire/contract/dashboard';
import { toPublicId } from '../../../platform/ids/index.ts';
import { partsOf } from './file.ts';
import type { StoredImport } from './repository/imports.ts';

/** An import as the dashboard shows it. @param names of people, by their ids */
export function toShownImport(one: StoredImport, names: ReadonlyMap<string, string>): Import {
  const of = partsOf(one.bytes);
  const { encoding, separator, remembered } = one.detected ?? {};
  return {
    id: toPublicId('imp', one.importId),
    file_name: one.fileName,
    bytes: one.bytes,
    parts: { arrived: one.state === 'uploading' ? one.partsArrived : of, of },
    state: one.state,
    failure: one.failure,
    settings: one.settings,
    detected:
      encoding && separator ? { encoding, separator, remembered: remembered ?? false } : null,
    progress: { rows: one.rowsDone, of: one.rowsTotal },
    check: one.check,
    counts: one.counts,
    made_by: one.madeBy === null ? null : (names.get(one.madeBy) ?? null),
    created_at: one.createdAt,
    started_at: one.startedAt,
    finished_at: one.finishedAt,
    file_kept_until: one.fileUntil,
  };
}
