import type {
  DateOrder,
  Import,
  ImportEncoding,
  ImportSeparator,
  ImportState,
} from '@leadwire/contract/dashboard';
import { formatCount } from '../../parts/chart/scale.ts';
import type { Tone } from '../../parts/index.ts';

export const STATES: Readonly<Record<ImportState, { label: string; tone: Tone }>> = {
  uploading: { label: 'Uploading', tone: 'calm' },
  ready: { label: 'Not checked', tone: 'calm' },
  checking: { label: 'Checking', tone: 'info' },
  checked: { label: 'Checked', tone: 'info' },
  running: { label: 'Importing', tone: 'info' },
  stopped: { label: 'Stopped', tone: 'warn' },
  done: { label: 'Done', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
};

export const ENCODINGS: Readonly<Record<ImportEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16, little end first',
  'utf-16be': 'UTF-16, big end first',
  'windows-1252': 'Windows-1252 (Western European)',
};

export const SEPARATORS: Readonly<Record<ImportSeparator, string>> = {
  ',': 'Comma ,',
  ';': 'Semicolon ;',
  '\t': 'Tab',
  '|': 'Vertical bar |',
};

export const DATE_ORDERS: Readonly<Record<DateOrder, string>> = {
  iso: 'ISO 8601 only: 2026-01-31T14:30:00Z',
  ymd: 'Year, month, day: 2026/01/31',
  dmy: 'Day, month, year: 31.01.2026',
  mdy: 'Month, day, year: 01/31/2026',
};

/** Whether something goes on by itself: the page looks again soon. */
export const isUnderWay = ({ state }: Import): boolean =>
  state === 'uploading' || state === 'checking' || state === 'running';

/** Whether it has not begun: what is shown is how it will be read. */
export const isAhead = ({ state, progress }: Import): boolean =>
  ['ready', 'checking', 'checked'].includes(state) || (state === 'stopped' && progress.rows === 0);

/** Whether rows were imported, not only checked. */
export const hasRun = (found: Import): boolean =>
  found.state === 'failed' ? leadsOf(found) > 0 : found.state !== 'uploading' && !isAhead(found);

/** How many rows became leads, or were leads before. */
export const leadsOf = ({ counts: { inserted, patched, deduped } }: Import): number =>
  inserted + patched + deduped;

/** "4,500 of 10,000 rows". */
export const progressText = ({ progress: { rows, of } }: Import): string =>
  of === null ? `${rowsText(rows)} so far` : `${formatCount(rows)} of ${rowsText(of)}`;

/** Null where it is not known how many there are. */
export const percentOf = ({ progress: { rows, of } }: Import): number | null =>
  of === null ? null : of === 0 ? 100 : (rows / of) * 100;

export const rowsText = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`;

/** "12.3 MiB"; whole up to a KiB. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, 'KiB'] : [bytes / 1024 ** 2, 'MiB'];
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit}`;
}

/** Why a row is bad, without the name of the field: the column stands beside it. "Is not a number of Germany". */
export function reasonText({ field, message }: { field: string; message: string }): string {
  const isOfField = field && message.startsWith(`${field} `) && !message.startsWith('phone or ');
  const rest = isOfField ? message.slice(field.length + 1) : message;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
