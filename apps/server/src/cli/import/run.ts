import { createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createForeground,
  createImports,
  type ImportKey,
  type Imports,
  type StoredImport,
} from '../../modules/intake/index.ts';
import { createBackgroundLane } from '../../modules/leads/index.ts';
import { ConfigError } from '../../platform/config/index.ts';
import { invalid } from '../../platform/errors/index.ts';
import { type CommandContext, withStore } from '../context.ts';
import type { ImportOptions } from '../import.ts';
import { type LocalFile, openFile } from './file.ts';
import { createReport, type Report } from './report.ts';
import { type Change, cellsOf, checkSettings, formatOf, inWords, mapColumns } from './settings.ts';

type Foreground = ReturnType<typeof createForeground>;
type Session = {
  accountId: string;
  imports: Imports;
  foreground: Foreground;
  report: Report;
  options: ImportOptions;
};

const STARTER = { actorType: 'operator', actorId: 'command line' } as const;

/** @throws ConfigError where the file cannot be imported, or it was stopped before its end */
export async function runImport(path: string, options: ImportOptions): Promise<void> {
  const file = await openFile(path);
  const report = createReport(options);
  await withStore(async (context) => {
    const { id: accountId } = await context.accounts.resolve(options.account);
    await checkOptions(context, accountId, options).catch(inWords);
    const imports = createImports({ ...context, namesOf: async () => new Map() });
    const foreground = createForeground(partsOfRunner(context, imports, report));
    const session = { accountId, imports, foreground, report, options };
    const key = await prepare(session, file, path).catch(inWords);
    const ended = await untilEnd(session, key);
    if (options.result) await writeResult(imports, key, options.result);
    await report.end(ended, (await imports.badRows(key, undefined)).rows);
  }).finally(() => file.close());
}

/** What can be told to be wrong before the file is uploaded: a slip leaves nothing behind. */
async function checkOptions(context: CommandContext, accountId: string, options: ImportOptions) {
  const errors = checkSettings({ ...settingsOf(options), ...formatOf(options) });
  if (!(await context.campaigns.exists(accountId, options.campaign))) {
    const message = 'campaign_id must be a campaign of this account';
    errors.push({ path: 'campaign_id', code: 'unknown_campaign', message });
  }
  if (errors.length > 0) throw invalid(errors);
}

function partsOfRunner(context: CommandContext, imports: Imports, report: Report) {
  const nothing = () => undefined;
  return {
    ...{ ...context, read: imports.read, wait: (ms: number) => sleep(ms) },
    lane: createBackgroundLane({
      ...{ ...context, countOutcome: nothing, observeBatch: nothing },
      // Workers look for what is to be delivered each second.
      onWritten: nothing,
    }),
    monotonicMs: () => performance.now(),
    log: {
      ...{ info: nothing, warn: nothing },
      error: ({ err }: { err?: unknown }) => report.say(String((err as Error)?.stack ?? err)),
    },
    onTrouble: () => report.trouble(),
  };
}

/** Uploads the file, sets what was asked for, and starts; or goes on with an import of the same file. */
async function prepare(session: Session, file: LocalFile, path: string): Promise<ImportKey> {
  const { accountId, imports, foreground, report, options } = session;
  const sought = { accountId, sha256: file.sha256, campaignId: options.campaign };
  const unfinished = options.dryRun ? null : await foreground.findUnfinished(sought);
  if (unfinished) {
    report.goesOn(unfinished);
    if (unfinished.state === 'stopped') await start(session, unfinished);
    return unfinished;
  }
  const fileName = basename(path)
    .replace(/\p{Cc}/gu, '')
    .slice(0, 255);
  let one = await imports.create(accountId, { fileName, bytes: file.bytes }, null);
  let part = 0;
  for await (const data of file.parts()) one = await imports.addPart(one, part++, data);
  if (one.failure) throw new ConfigError(one.failure.message);
  one = await change(imports, one, formatOf(options));
  const source = options.source ?? one.settings?.source ?? fileName;
  one = await change(imports, one, { source });
  one = await change(imports, one, { ...settingsOf(options), ...columnsOf(one, options) });
  report.found(one, await imports.preview(one));
  await start(session, one);
  return one;
}

const start = ({ imports, foreground, options }: Session, key: ImportKey) => {
  const state = options.dryRun ? 'checking' : 'running';
  return imports.start(key, { state, starter: STARTER, lease: foreground.lease });
};

async function change(imports: Imports, one: StoredImport, to: Change): Promise<StoredImport> {
  if (Object.keys(to).length === 0) return one;
  const errors = checkSettings(to);
  if (errors.length > 0) throw invalid(errors);
  return imports.change(one, to);
}

const settingsOf = (options: ImportOptions): Change => ({
  campaign_id: options.campaign,
  ...cellsOf(options),
});

const columnsOf = (one: StoredImport, { map }: ImportOptions): Change =>
  map.length > 0
    ? { columns: mapColumns(one.columns ?? [], one.settings?.columns ?? [], map) }
    : {};

async function untilEnd({ imports, foreground, report }: Session, key: ImportKey) {
  // A second Ctrl-C ends at once.
  const onSignal = () => {
    report.stops();
    imports.stop(key).catch(() => undefined);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  const stopWatching = report.watch(() => imports.read(key));
  try {
    return await foreground.run(key);
  } finally {
    stopWatching();
  }
}

async function writeResult(imports: Imports, key: ImportKey, path: string): Promise<void> {
  const { stream } = await imports.result(key, async () => true);
  try {
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (!syscall) throw error;
    throw new ConfigError(`${path} cannot be written (${code}). Give another --result.`);
  }
}
