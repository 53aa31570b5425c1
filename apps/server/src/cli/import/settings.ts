import type { DashboardApi } from '@leadwire/contract/dashboard';
import { DASHBOARD_REQUESTS } from '@leadwire/contract/dashboard/requests';
import { ConfigError } from '../../platform/config/index.ts';
import { AppError } from '../../platform/errors/index.ts';
import { createValidator } from '../../platform/validation/index.ts';
import type { FileOptions } from './options.ts';

/** Settings of an import as the dashboard writes them, and how options of a command become them. */
export type Change = DashboardApi['changeImport']['body'];

/** What is wrong with settings. */
export const checkSettings = createValidator(DASHBOARD_REQUESTS.changeImport.body);

export function formatOf({ encoding, separator }: FileOptions): Change {
  const character = (separator === 'tab' ? '\t' : separator) as Change['separator'];
  return { ...(encoding && { encoding }), ...(character && { separator: character }) };
}

/** How cells are read. */
export function cellsOf({ country, dates, timeZone }: FileOptions): Change {
  return {
    ...(country && { default_country: country.toUpperCase() }),
    ...(dates && { date_order: dates }),
    ...(timeZone && { time_zone: timeZone }),
  };
}

/**
 * Where columns go with what --map says; a target that is given to a column is taken from the one that was suggested for it.
 * @throws ConfigError for a column that the file does not have
 */
export function mapColumns(
  columns: string[],
  suggested: (string | null)[],
  map: FileOptions['map'],
): (string | null)[] {
  const unknown = map.find(([header]) => !columns.includes(header));
  if (unknown) {
    const names = columns.map((name) => `"${name}"`).join(', ');
    throw new ConfigError(`The file has no column "${unknown[0]}". Its columns: ${names}.`);
  }
  const asked = new Map(map);
  const taken = new Set(map.map(([, target]) => target));
  return columns.map((name, index) => {
    const before = suggested[index] ?? null;
    if (asked.has(name)) return asked.get(name) ?? null;
    return before !== null && taken.has(before) ? `custom_fields.${name}` : before;
  });
}

const OPTION_OF: Readonly<Record<string, string>> = {
  ...{ campaign_id: '--campaign', default_country: '--country', date_order: '--dates' },
  ...{ time_zone: '--time-zone', source: '--source', columns: 'The target of --map' },
};

/** What is wrong with the settings, each by itself and by its option. */
export function inWords(error: unknown): never {
  if (!(error instanceof AppError) || !error.errors) throw error;
  const sentences = error.errors.map(({ message }) =>
    message.replace(/^\w+(?:\.\d+)?(?= )/, (name) => OPTION_OF[name.replace(/\.\d+$/, '')] ?? name),
  );
  throw new ConfigError(`${sentences.join('. ')}.`);
}
