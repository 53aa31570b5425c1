import type { LeadTable } from '../../modules/intake/index.ts';
import { sentenceOf } from '../../modules/intake/index.ts';
import { ConfigError } from '../../platform/config/index.ts';
import type { Compared } from './compare.ts';

const NAMED = 20;
const PROGRESS_EACH_MS = 2_000;
const WORDS = {
  differs: 'differs',
  missing: 'is missing',
  bad: 'cannot be read',
  agrees: 'agrees',
} as const;

const number = (n: number): string => n.toLocaleString('en-US');
const rowsText = (n: number): string => (n === 1 ? '1 row' : `${number(n)} rows`);

export type Report = ReturnType<typeof createReport>;

/** Counts rows, keeps the first ones that do not agree, and tells of them: what the file is on standard error, the outcome on standard output. */
export function createReport(options: { file: string; output?: string; json?: boolean }) {
  const counts = { agrees: 0, differs: 0, missing: 0, bad: 0 };
  const named: Compared[] = [];
  let rows = 0;
  let saidAt = performance.now();
  const say = (line: string) => {
    if (!options.json) process.stderr.write(`${line}\n`);
  };
  return {
    found({ unsure, targets }: LeadTable, fields: readonly string[]): void {
      if (unsure) say(unsure);
      if (!targets.includes('external_lead_id')) {
        say('No column is the external id: rows have those that an import of the file gave them.');
        say('If a column does hold it, name that: --map HEADER=external_lead_id');
      }
      say(`Comparing ${fields.join(', ')}.`);
    },

    add(compared: Compared[]): void {
      for (const one of compared) {
        rows++;
        counts[one.result]++;
        if (one.result !== 'agrees' && named.length < NAMED) named.push(one);
      }
      if (performance.now() - saidAt < PROGRESS_EACH_MS) return;
      saidAt = performance.now();
      say(`${rowsText(rows)} so far`);
    },

    /** @returns whether all rows agree @throws ConfigError where standard output takes nothing */
    async end(fields: readonly string[]): Promise<boolean> {
      const { file } = options;
      const text = options.json
        ? JSON.stringify({ file, rows, counts, fields, rows_named: named.map(asJson) })
        : summaryOf(rows, counts, named, options).join('\n');
      await print(`${text}\n`);
      return counts.agrees === rows;
    },
  };
}

/** Who looks at the exit code alone may read nothing, `| head -1`; a full disk is trouble. */
const print = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE') resolve();
      else reject(new ConfigError(`The outcome cannot be printed (${code}).`));
    });
    process.stdout.write(text, (error) => error ?? resolve());
  });

type Counts = Record<Compared['result'], number>;

function summaryOf(
  rows: number,
  counts: Counts,
  named: Compared[],
  { output }: { output?: string },
): string[] {
  const lines = named.map(lineOf);
  const more = rows - counts.agrees - named.length;
  if (more > 0) {
    const where = output ? `in ${output}` : 'in the file that --output writes';
    lines.push(`${rowsText(more)} more do not agree; all of them are ${where}.`);
  }
  const { agrees, differs, missing, bad } = counts;
  lines.push(
    `${rowsText(rows)}: ${number(agrees)} agree, ${number(differs)} differ, ${number(missing)} missing, ${number(bad)} bad.`,
  );
  return lines;
}

function lineOf({ line, externalLeadId, campaignId, result, leadId, errors }: Compared): string {
  if (result === 'bad') return `Line ${line} ${WORDS.bad}: ${errors.map(sentenceOf).join('; ')}`;
  const stored = leadId ? `, stored as ${leadId}` : '';
  // An external id may be anything: quoted, so that its end is seen.
  return `Line ${line} ${WORDS[result]}: ${JSON.stringify(externalLeadId)} of campaign ${campaignId}${stored}`;
}

const asJson = ({ line, result, campaignId, externalLeadId, leadId, errors }: Compared) => ({
  ...{ line, result, campaign_id: campaignId, external_lead_id: externalLeadId },
  ...{ lead_id: leadId, errors },
});
