import { resolve } from 'node:path';
import { type LeadTable, openLeadTable } from '../../modules/intake/index.ts';
import { ConfigError } from '../../platform/config/index.ts';
import { invalid } from '../../platform/errors/index.ts';
import { EndedWith } from '../ended.ts';
import { type LocalFile, openFile } from '../import/file.ts';
import { cellsOf, checkSettings, formatOf, inWords, mapColumns } from '../import/settings.ts';
import type { ReconcileOptions } from '../reconcile.ts';
import { createAsk } from './ask.ts';
import { compare } from './compare.ts';
import { openOutput } from './output.ts';
import { createReport } from './report.ts';

const ALL_AGREE = 0;
const SOME_DO_NOT = 1;
const NOT_COMPARED = 2;

/** @throws EndedWith 1 where rows do not agree, 2 where they could not be compared */
export async function runReconcile(options: ReconcileOptions): Promise<void> {
  const code = await reconcile(options).catch((error) => {
    throw new EndedWith(NOT_COMPARED, error);
  });
  if (code !== ALL_AGREE) throw new EndedWith(code);
}

async function reconcile(options: ReconcileOptions): Promise<number> {
  const stopping = new AbortController();
  const ask = createAsk(options, stopping.signal);
  const file = await openFile(options.file);
  const report = createReport(options);
  try {
    const table = await openTable(file, options).catch(inWords);
    const fields = fieldsToCompare(table, options);
    report.found(table, fields);
    // Until here there is nothing to tidy up, and a signal ends at once.
    stopOnSignal(stopping);
    refuseSameFile(options);
    const output = await openOutput(options.output);
    try {
      for await (const compared of compare(table.rows(), fields, ask)) {
        stopping.signal.throwIfAborted();
        report.add(compared);
        await output.add(compared);
      }
      await output.end();
    } finally {
      await output.drop();
    }
    return (await report.end(fields)) ? ALL_AGREE : SOME_DO_NOT;
  } finally {
    await file.close();
  }
}

async function openTable(file: LocalFile, options: ReconcileOptions): Promise<LeadTable> {
  const format = formatOf(options);
  const cells = cellsOf(options);
  const errors = checkSettings({ ...format, ...cells });
  if (errors.length > 0) throw invalid(errors);
  const { default_country = null, date_order = 'iso', time_zone = null } = cells;
  return openLeadTable(
    { start: await startOf(file), pieces: file.parts },
    {
      ...{ ...format, default_country, date_order, time_zone },
      campaignId: options.campaign ?? null,
      retarget: (columns, suggested) => mapColumns(columns, suggested, options.map),
    },
  );
}

async function startOf(file: LocalFile): Promise<Buffer> {
  for await (const part of file.parts()) return part;
  throw new ConfigError('The file is empty. Give one with a header row and rows below it.');
}

function fieldsToCompare({ fields, columns }: LeadTable, options: ReconcileOptions) {
  const unmapped = options.fields?.find((name) => !fields.includes(name));
  if (unmapped) {
    const names = columns.map((name) => `"${name}"`).join(', ');
    throw new ConfigError(
      `No column goes to ${unmapped}: say which with --map, or leave it out of --fields. Columns: ${names}.`,
    );
  }
  const compared = options.fields ?? fields;
  if (compared.length > 0) return compared;
  throw new ConfigError('No column goes to a field of leads. Say with --map what the columns are.');
}

function refuseSameFile({ file, output }: ReconcileOptions): void {
  if (output === undefined || resolve(output) !== resolve(file)) return;
  throw new ConfigError(`${output} is the file that is compared. Give another --output.`);
}

/** By Ctrl-C; a second one ends at once. */
function stopOnSignal(stopping: AbortController): void {
  const stop = () => stopping.abort(new ConfigError('Stopped before the end of the file.'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
}
