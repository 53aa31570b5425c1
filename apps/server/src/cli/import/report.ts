import type { BadRow, ImportPreview } from '@leadwire/contract/dashboard';
import { type StoredImport, sentenceOf } from '../../modules/intake/index.ts';
import { ConfigError } from '../../platform/config/index.ts';
import { toPublicId } from '../../platform/ids/index.ts';

const NAMED = 20;
const MAX_EXAMPLE = 40;
const PROGRESS_EACH_MS = 2_000;
const SEPARATORS = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'vertical bars' };

const number = (n: number): string => n.toLocaleString('en-US');
const rowsText = (n: number): string => (n === 1 ? '1 row' : `${number(n)} rows`);

export type Report = ReturnType<typeof createReport>;

/** What an import tells the person who started it: on standard error while it runs, its outcome on standard output. */
export function createReport({ json, result }: { json?: boolean; result?: string }) {
  const say = (line: string) => {
    if (!json) process.stderr.write(`${line}\n`);
  };
  let isInTrouble = false;
  return {
    say,
    found: (one: StoredImport, preview: ImportPreview) => describe(one, preview).forEach(say),
    goesOn: (one: StoredImport) =>
      say(
        `Going on with the import of this file that was begun at ${one.startedAt}: ${rowsText(one.rowsDone)} are done. It keeps its settings.`,
      ),
    stops: () => say('Stopping after the rows that are under way.'),

    trouble(): void {
      if (!isInTrouble) say('The store does not answer. Waiting for it; Ctrl-C gives up.');
      isInTrouble = true;
    },

    /** Says now and then how far it is. @returns what ends that */
    watch(read: () => Promise<StoredImport>): () => void {
      const timer = setInterval(async () => {
        const one = await read().catch(() => null);
        if (!one) return;
        isInTrouble = false;
        say(`${rowsText(one.rowsDone)} so far`);
      }, PROGRESS_EACH_MS).unref();
      return () => clearInterval(timer);
    },

    /** @throws ConfigError where it did not come to its end */
    async end(one: StoredImport, bad: BadRow[]): Promise<void> {
      if (json) process.stdout.write(`${JSON.stringify(asJson(one, bad))}\n`);
      else process.stdout.write(`${summaryOf(one, bad, result).join('\n')}\n`);
      if (one.state === 'failed')
        throw new ConfigError(one.failure?.message ?? 'The import failed.');
      if (one.state === 'ready') throw new ConfigError('Stopped before the end.');
      if (one.state === 'stopped') {
        throw new ConfigError('Stopped before the end. The same command again goes on from here.');
      }
    },
  };
}

function describe(one: StoredImport, { warnings, rows }: ImportPreview): string[] {
  const { settings, columns } = one;
  if (!settings || !columns) return [];
  const width = Math.max(6, ...columns.map(({ length }) => length));
  const targets = columns.map((_, i) => settings.columns[i] ?? '(left out)');
  const targetWidth = Math.max(7, ...targets.map(({ length }) => length));
  const known = one.detected?.remembered ? ', with the columns as they were imported before' : '';
  return [
    `${one.fileName}: ${number(one.bytes)} bytes, ${settings.encoding}, separated by ${SEPARATORS[settings.separator]}${known}.`,
    ...warnings.map(({ message }) => message),
    `${'Column'.padEnd(width)}  ${'Goes to'.padEnd(targetWidth)}  For example`,
    ...columns.map((name, i) => {
      const shown = `${name.padEnd(width)}  ${targets[i]?.padEnd(targetWidth)}  ${exampleOf(rows, i)}`;
      return shown.trimEnd();
    }),
    '',
  ];
}

/** The first cell of the column that holds something, on one line. */
function exampleOf(rows: string[][], column: number): string {
  const cell = rows.map((cells) => cells[column]?.trim() ?? '').find((text) => text !== '') ?? '';
  const line = cell.replace(/\p{Cc}+/gu, ' ');
  return line.length > MAX_EXAMPLE ? `${line.slice(0, MAX_EXAMPLE)}…` : line;
}

const badOf = (one: StoredImport): number =>
  one.state === 'checked' ? (one.check?.bad ?? 0) : one.counts.failed;

function summaryOf(one: StoredImport, bad: BadRow[], result: string | undefined): string[] {
  const lines = bad
    .slice(0, NAMED)
    .map(({ line, errors }) => `Line ${line}: ${errors.map(sentenceOf).join('; ')}`);
  const more = badOf(one) - lines.length;
  if (more > 0) {
    const where = result ? `in ${result}` : 'in the file that --result writes';
    lines.push(`${rowsText(more)} more are bad; all of them are ${where}.`);
  }
  const { inserted, patched, deduped, failed } = one.counts;
  const { check } = one;
  if (one.state === 'checked' && check) {
    lines.push(
      `${rowsText(check.rows)} read, nothing written: ${number(check.good)} good, ${number(check.bad)} bad.`,
    );
  } else {
    lines.push(
      `${rowsText(one.rowsDone)}: ${number(inserted)} inserted, ${number(patched)} patched, ${number(deduped)} there already, ${number(failed)} bad.`,
    );
  }
  return lines;
}

function asJson(one: StoredImport, bad: BadRow[]) {
  return {
    ...{ id: toPublicId('imp', one.importId), state: one.state, failure: one.failure },
    ...{ settings: one.settings, rows: one.rowsDone, counts: one.counts },
    check: one.state === 'checked' ? one.check : null,
    bad_rows: bad.slice(0, NAMED),
  };
}
