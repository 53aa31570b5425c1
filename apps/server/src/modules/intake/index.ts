export {
  createForms,
  type Forms,
  moveFormsOfKey,
  type PublicForm,
  type PublicForms,
  type SubmissionNote,
} from './forms/index.ts';
export {
  createForeground,
  createImports,
  createImportWorker,
  type ImportKey,
  type Imports,
  type LeadTable,
  openLeadTable,
  type StoredImport,
  sentenceOf,
  type TableRow,
} from './imports/index.ts';
export { createPlatforms, type Platforms } from './platforms/index.ts';
export { createSubmissions, type Submissions } from './submission/index.ts';
