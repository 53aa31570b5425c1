/** The q-quantile (0…1) of values, which need not be sorted; NaN of none. */
export function quantile(values: ArrayLike<number>, q: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

export const mebibytes = (bytes: number | undefined) =>
  bytes === undefined ? Number.NaN : bytes / 1024 / 1024;

export const whole = (value: number) =>
  Number.isFinite(value) ? Math.round(value).toLocaleString('en-US') : '–';

export const decimals = (value: number, places: number) =>
  Number.isFinite(value) ? value.toFixed(places) : '–';

/** A Markdown table; columns after the first are right-aligned and padded to be read as text too. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: string[]) =>
    `| ${cells.map((cell, i) => (i ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, i) => (i ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
