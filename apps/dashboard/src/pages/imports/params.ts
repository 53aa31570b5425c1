import type { Import, ImportPreview } from '@leadwire/contract/dashboard';

/** What the address names. */
export type ImportParams = { account: string; import: string };

/** A part of an import's page. */
export type ImportProps = { found: Import; params: ImportParams };

export type WithPreview = { preview: ImportPreview | undefined };
