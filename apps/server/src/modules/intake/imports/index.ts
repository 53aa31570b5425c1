export { createForeground } from './foreground.ts';
export { createImports, type Imports } from './imports.ts';
export { type LeadTable, openLeadTable, type TableRow } from './lead-table.ts';
export type { ImportKey, StoredImport } from './repository/imports.ts';
export { sentenceOf } from './results.ts';
export { createImportWorker, type ImportWorker } from './worker.ts';
