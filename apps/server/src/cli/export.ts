import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LEAD_STATUSES } from '@leadwire/contract';
import type { ExportFormat } from '@leadwire/contract/dashboard';
import { EXPORT_FORMATS } from '@leadwire/contract/dashboard/requests';
import { Command, Option } from 'commander';
import { createExportLeads, exportText, type LeadQuery } from '../modules/leads/index.ts';
import { ConfigError } from '../platform/config/index.ts';
import { accountOption, campaignId, time } from './arguments.ts';
import { withStore } from './context.ts';
import { openOutputFile, unwritable } from './output-file.ts';

type Options = {
  account: string;
  format: ExportFormat;
  output: string;
  campaign?: number;
  status?: LeadQuery['status'];
  source?: string;
  createdAfter?: string;
  createdBefore?: string;
  search?: string;
};

const PROGRESS_EACH_MS = 2_000;

export function exportCommand(): Command {
  return new Command('export')
    .description('write leads as CSV or NDJSON, newest first')
    .addOption(accountOption())
    .addOption(new Option('--format <format>').choices(EXPORT_FORMATS).default('csv'))
    .option('--campaign <id>', 'of this campaign', campaignId)
    .addOption(new Option('--status <status>').choices(LEAD_STATUSES))
    .option('--source <source>', 'of this source')
    .option('--created-after <time>', 'e.g. 2027-01-31T00:00:00Z; that moment is not in it', time)
    .option('--created-before <time>', 'the same', time)
    .option('--search <text>', 'an external id, phone number or e-mail, else part of a name')
    .option('--output <file>', 'there only once it is whole; - is standard output', '-')
    .action(run);
}

async function run(options: Options): Promise<void> {
  const progress = createProgress();
  const ended = abortOnSignal();
  await withStore(async ({ accounts, campaigns, database }) => {
    const account = await accounts.resolve(options.account);
    const { campaign } = options;
    if (campaign !== undefined && !(await campaigns.exists(account.id, campaign))) {
      throw new ConfigError('--campaign must be a campaign of this account.');
    }
    // A command has nobody beside it whom it could keep waiting.
    const exportLeads = createExportLeads({ database, heavyRead: (_account, work) => work() });
    const pages = await exportLeads(account.id, queryOf(options));
    const text = Readable.from(exportText(pages, options.format, progress.add), {
      objectMode: false,
    });
    if (options.output === '-') await toStdout(text, ended);
    else await toFile(text, options.output, ended);
  });
  progress.end(options.output);
}

const queryOf = (options: Options): LeadQuery => ({
  ...(options.campaign === undefined ? {} : { campaign_id: options.campaign }),
  ...(options.status === undefined ? {} : { status: options.status }),
  ...(options.source === undefined ? {} : { source: options.source }),
  ...(options.createdAfter === undefined ? {} : { created_after: options.createdAfter }),
  ...(options.createdBefore === undefined ? {} : { created_before: options.createdBefore }),
  ...(options.search === undefined ? {} : { search: options.search }),
});

/** Whoever reads it may have enough at any time, as `head` does: that is no failure. */
async function toStdout(text: Readable, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(text, process.stdout, { end: false, signal });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPIPE' && code !== 'ERR_STREAM_PREMATURE_CLOSE') throw orStopped(error, signal);
  }
}

async function toFile(text: Readable, path: string, signal: AbortSignal): Promise<void> {
  const file = await openOutputFile(path);
  try {
    await pipeline(text, (chunks: AsyncIterable<string>) => file.handle.writeFile(chunks), {
      signal,
    });
    await file.place();
  } catch (error) {
    await file.drop();
    throw orSentence(path, orStopped(error, signal));
  }
}

const orStopped = (error: unknown, signal: AbortSignal): unknown =>
  signal.aborted
    ? new ConfigError('Stopped before the end: what was written is not whole.')
    : error;

const OF_THE_FILE = new Set([
  ...['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'ENOENT', 'ENOSPC', 'ENAMETOOLONG'],
]);

/** An error of the file in words; those of the store are others. */
const orSentence = (path: string, error: unknown): unknown =>
  OF_THE_FILE.has((error as NodeJS.ErrnoException).code ?? '') ? unwritable(path, error) : error;

/** Aborted by Ctrl-C; a second one ends at once. */
function abortOnSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort());
  }
  return controller.signal;
}

/** On standard error: standard output may be the file. */
function createProgress() {
  let [leads, saidAt] = [0, performance.now()];
  const say = (sentence: string) => process.stderr.write(`${sentence}\n`);
  return {
    add(more: number): void {
      leads += more;
      if (performance.now() - saidAt < PROGRESS_EACH_MS) return;
      saidAt = performance.now();
      say(`${leads.toLocaleString('en-US')} leads so far`);
    },
    end(output: string): void {
      const count = leads === 1 ? '1 lead' : `${leads.toLocaleString('en-US')} leads`;
      say(`${count} exported${output === '-' ? '' : ` to ${output}`}.`);
    },
  };
}
