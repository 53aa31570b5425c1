/** Bytes of each part of an uploaded file but the last. */
export const IMPORT_PART_BYTES = 4 * 1024 * 1024;
export const IMPORT_MAX_BYTES = 100 * 1024 * 1024;
export const IMPORT_MAX_COLUMNS = 200;

export const IMPORT_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type ImportEncoding = (typeof IMPORT_ENCODINGS)[number];
export const IMPORT_SEPARATORS = [',', ';', '\t', '|'] as const;
export type ImportSeparator = (typeof IMPORT_SEPARATORS)[number];

/** In which order a time names its day, month and year; `iso` is ISO 8601 alone. */
export const DATE_ORDERS = ['iso', 'ymd', 'dmy', 'mdy'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Where a column may go, besides `custom_fields.<name>`; null leaves it out. `full_name` is split into both names; `custom_fields` is for cells that hold a JSON object of them. */
export const IMPORT_TARGETS = [
  'external_lead_id',
  'phone',
  'email',
  'first_name',
  'last_name',
  'full_name',
  'source',
  'source_form_url',
  'tcpa_consent',
  'tcpa_consent_text',
  'tcpa_consent_timestamp',
  'status',
  'address.street',
  'address.city',
  'address.state',
  'address.zip',
  'custom_fields',
] as const;

export const IMPORT_STATES = [
  'uploading',
  'ready',
  'checking',
  'checked',
  'running',
  'stopped',
  'done',
  'failed',
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];
