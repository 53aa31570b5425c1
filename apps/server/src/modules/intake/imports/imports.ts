import type { DashboardApi, Import, ImportSettings } from '@leadwire/contract/dashboard';
import { formatMicros } from '../../../platform/clock/index.ts';
import { conflict, notFound } from '../../../platform/errors/index.ts';
import { fromPublicId } from '../../../platform/ids/index.ts';
import { headersName, sourceName, suggestTargets, withRemembered } from './columns.ts';
import { notNow } from './errors.ts';
import { readStart } from './file.ts';
import { preview } from './preview.ts';
import { readHeader } from './recognize.ts';
import {
  type ImportKey,
  listImports,
  type StoredImport,
  storeSettings,
} from './repository/imports.ts';
import { findMapping, storeMappings } from './repository/mappings.ts';
import { listBadRows } from './repository/outcomes.ts';
import { begin, goOn, halt, type Lease, type Starter } from './repository/states.ts';
import { createResults } from './results.ts';
import { fileUntil } from './retention.ts';
import { checkChange, checkComplete, type SettingsChange } from './settings.ts';
import { toShownImport } from './shown.ts';
import { createUpload, type UploadDeps } from './upload.ts';

export type Imports = ReturnType<typeof createImports>;

type Deps = UploadDeps & {
  campaigns: { exists(accountId: string, id: number): true | Promise<boolean> };
  /** Names of people, by their ids. */
  namesOf: (ids: string[]) => Promise<ReadonlyMap<string, string>>;
};

const LISTED = 100;
const BAD_ROWS_A_PAGE = 100;

/** Files of leads: uploading, what they mean, checking, starting and stopping; who runs them is in runner.ts. */
export function createImports({ campaigns, namesOf, ...deps }: Deps) {
  const { database, clock } = deps;
  const upload = createUpload(deps);

  const changed = async (key: ImportKey, isDone: boolean, doing: string) => {
    const one = await upload.read(key);
    if (!isDone) throw notNow(doing, one.state);
    return one;
  };

  /** Begins a check or a run, or goes on with a run that was stopped. */
  async function start(
    key: ImportKey,
    how: { state: 'checking' | 'running'; starter: Starter; lease?: Lease },
  ): Promise<StoredImport> {
    const one = await upload.read(key);
    const { settings } = one;
    const doing = how.state === 'checking' ? 'checked' : 'started';
    if (!settings || !one.columns) throw notNow(doing, one.state);
    const at = formatMicros(clock.nowMicros());
    const shared = { ...how, lease: how.lease ?? null, fileUntil: fileUntil(clock) };
    if (how.state === 'running' && one.state === 'stopped' && one.rowsDone > 0) {
      return changed(key, await goOn(database, key, shared), doing);
    }
    await checkComplete(campaigns, key.accountId, settings);
    if (how.state === 'running') await remember(key.accountId, settings, one.columns, at);
    return changed(key, await begin(database, key, { ...shared, settings, at }), doing);
  }

  function remember(accountId: string, settings: ImportSettings, columns: string[], at: string) {
    const { columns: targets, encoding: _e, separator: _s, ...rest } = settings;
    const names = [headersName(columns), ...(settings.source ? [sourceName(settings.source)] : [])];
    const byHeader = Object.fromEntries(columns.map((name, i) => [name, targets[i] ?? null]));
    return storeMappings(database, accountId, names, { columns: byHeader, settings: rest }, at);
  }

  /** @throws AppError 404, 400, 409 once it runs */
  async function change(key: ImportKey, asked: SettingsChange): Promise<StoredImport> {
    const one = await upload.read(key);
    const { settings: was, detected } = one;
    if (!was || !detected || !one.columns) throw notNow('changed', one.state);
    const format = {
      encoding: asked.encoding ?? was.encoding,
      separator: asked.separator ?? was.separator,
    };
    const isSameFormat = format.encoding === was.encoding && format.separator === was.separator;
    const columns = isSameFormat ? one.columns : await headerBy(one, format);
    await checkChange(campaigns, key.accountId, asked, columns);
    const mapping = await mappingFor(key.accountId, asked, was);
    const kept = isSameFormat ? was.columns : suggestTargets(columns);
    const settings: ImportSettings = {
      ...was,
      ...mapping?.settings,
      ...(mapping ? { columns: withRemembered(columns, mapping.columns) } : { columns: kept }),
      ...asked,
    };
    const isStored = await storeSettings(database, key, {
      ...{ was, settings, columns, keepsRows: isSameFormat },
      detected: { ...detected, remembered: mapping ? true : detected.remembered },
    });
    return changed(key, isStored, 'changed');
  }

  /** What the columns of this source meant before, where the source is named now and nothing else says what they mean. */
  async function mappingFor(accountId: string, asked: SettingsChange, was: ImportSettings) {
    if (!asked.source || asked.source === was.source || asked.columns) return null;
    return findMapping(database, accountId, sourceName(asked.source));
  }

  async function headerBy(
    one: StoredImport,
    format: Pick<ImportSettings, 'encoding' | 'separator'>,
  ): Promise<string[]> {
    const bytes = await readStart(database, one);
    const header = bytes ? readHeader(bytes, format) : null;
    if (!header) throw notNow('changed', one.state);
    if ('failure' in header) throw conflict(header.failure.message);
    return header.columns;
  }

  async function show(one: StoredImport): Promise<Import> {
    return toShownImport(one, one.madeBy ? await namesOf([one.madeBy]) : new Map());
  }

  return {
    ...{ create: upload.create, addPart: upload.add, read: upload.read, change, start, show },

    /** The key of an import by its public id. @throws AppError 404 for what is none */
    keyOf(accountId: string, id: string): ImportKey {
      const importId = fromPublicId('imp', id);
      if (!importId) throw notFound();
      return { accountId, importId };
    },

    /** The newest hundred. */
    async list(accountId: string): Promise<Import[]> {
      const all = await listImports(database, accountId, LISTED);
      const people = [...new Set(all.flatMap(({ madeBy }) => madeBy ?? []))];
      const names = people.length > 0 ? await namesOf(people) : new Map<string, string>();
      return all.map((one) => toShownImport(one, names));
    },

    /** @throws AppError 404; 409 while the file is not there, or no longer */
    async preview(key: ImportKey): Promise<DashboardApi['previewImport']['answer']> {
      const one = await upload.read(key);
      const bytes = one.settings ? await readStart(database, key) : null;
      if (!bytes) throw conflict('There is no file to look at: it has not arrived, or is gone.');
      return preview(one, bytes);
    },

    /** @throws AppError 404, 409 where it does not run */
    async stop(key: ImportKey): Promise<StoredImport> {
      const isHalted = await halt(database, key, fileUntil(clock));
      const one = await upload.read(key);
      if (!isHalted && one.state !== 'stopped') throw notNow('stopped', one.state);
      return one;
    },

    async badRows(
      key: ImportKey,
      after: number | undefined,
    ): Promise<DashboardApi['listBadRows']['answer']> {
      await upload.read(key);
      const page = { from: (after ?? 0) + 1, limit: BAD_ROWS_A_PAGE + 1 };
      const found = await listBadRows(database, key, page);
      const rows = found.slice(0, BAD_ROWS_A_PAGE);
      const last = found.length > BAD_ROWS_A_PAGE ? rows.at(-1) : undefined;
      return { rows, next_cursor: last?.line ?? null };
    },

    result: createResults({ database, read: upload.read }),
  };
}
