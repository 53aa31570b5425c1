import type { ImportPreview, ImportSettings } from '@leadwire/contract/dashboard';
import { nameColumns } from './columns.ts';
import { readFirstRows } from './read-rows.ts';
import type { StoredImport } from './repository/imports.ts';

const SHOWN = 10;
const LOOKED_AT = 200;

/** The first rows of a file as its settings read them, and what a person should look at. @param start its first part */
export function preview(one: StoredImport, start: Buffer): ImportPreview {
  const settings = one.settings as ImportSettings;
  const columns = one.columns ?? [];
  const [header, ...rows] = readFirstRows(start, settings, LOOKED_AT + 1);
  const { repeated } = nameColumns(header?.cells ?? []);
  const ragged = rows.filter(({ cells }) => cells.length !== columns.length);
  const warnings: ImportPreview['warnings'] = [];
  if (repeated.length > 0) {
    const names = repeated.map((name) => `"${name}"`).join(', ');
    const message = `More than one column is called ${names}. Each is kept, the later ones as ${repeated[0]}_2 and so on.`;
    warnings.push({ code: 'duplicate_headers', message });
  }
  if (ragged.length > 0) {
    const lines = ragged.slice(0, 5).map(({ line }) => line);
    const message = `Some rows have more or fewer cells than the header has columns, and will not be imported: line ${lines.join(', ')}${ragged.length > 5 ? ' and more' : ''}.`;
    warnings.push({ code: 'ragged_rows', message });
  }
  if (one.detected?.unsure && settings.encoding === one.detected.encoding) {
    warnings.push({ code: 'encoding_unsure', message: one.detected.unsure });
  }
  return { columns, rows: rows.slice(0, SHOWN).map(({ cells }) => cells), warnings };
}
