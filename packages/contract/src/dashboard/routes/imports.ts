import type { DashboardRoute } from '../route.ts';

export const importRoutes = {
  listImports: { method: 'GET', path: '/accounts/:account/imports', may: 'imports.read' },
  createImport: { method: 'POST', path: '/accounts/:account/imports', may: 'imports.run' },
  /** The file, in parts of IMPORT_PART_BYTES, counted from 0; a part that is sent twice counts once. */
  uploadImportPart: {
    method: 'POST',
    path: '/accounts/:account/imports/:import/parts/:part',
    may: 'imports.run',
  },
  getImport: { method: 'GET', path: '/accounts/:account/imports/:import', may: 'imports.read' },
  changeImport: { method: 'PATCH', path: '/accounts/:account/imports/:import', may: 'imports.run' },
  /** The first rows of the file, as its settings read them. */
  previewImport: {
    method: 'GET',
    path: '/accounts/:account/imports/:import/preview',
    may: 'imports.read',
  },
  /** Reads every row and writes nothing. */
  checkImport: {
    method: 'POST',
    path: '/accounts/:account/imports/:import/check',
    may: 'imports.run',
  },
  startImport: {
    method: 'POST',
    path: '/accounts/:account/imports/:import/start',
    may: 'imports.run',
  },
  /** What was imported stays. It can be started again, and goes on where it stopped. */
  stopImport: {
    method: 'POST',
    path: '/accounts/:account/imports/:import/stop',
    may: 'imports.run',
  },
  listBadRows: {
    method: 'GET',
    path: '/accounts/:account/imports/:import/bad-rows',
    may: 'imports.read',
  },
} as const satisfies Record<string, DashboardRoute>;
