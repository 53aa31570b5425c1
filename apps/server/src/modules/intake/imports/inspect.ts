import { createHash, type Hash } from 'node:crypto';
import type { ImportSettings } from '@leadwire/contract/dashboard';
import type { Database } from '../../../platform/database/index.ts';
import { headersName, suggestTargets, withRemembered } from './columns.ts';
import type { Failure } from './errors.ts';
import { readFile, readStart } from './file.ts';
import { recognize } from './recognize.ts';
import type { Detected, ImportKey } from './repository/imports.ts';
import { findMapping } from './repository/mappings.ts';

export type Found =
  | { failure: Failure }
  | { sha256: string; settings: ImportSettings; detected: Detected; columns: string[] };

const UNTOUCHED = {
  campaign_id: null,
  source: null,
  default_country: null,
  date_order: 'iso',
  time_zone: null,
} as const;

/** Reads a file that has arrived from end to end, and finds out what it is. */
export async function inspect(
  database: Database,
  file: ImportKey & { bytes: number },
): Promise<Found> {
  const hash = createHash('sha256');
  const start = await readStart(database, file);
  if (!start) throw new Error('a file that has not arrived cannot be looked at');
  const found = await recognize(start, hashing(hash, readFile(database, file)));
  if ('failure' in found) return found;
  const { format, unsure, columns } = found;
  const mapping = await findMapping(database, file.accountId, headersName(columns));
  return {
    ...{ sha256: hash.digest('hex'), columns },
    detected: { ...format, unsure, remembered: mapping !== null },
    settings: {
      ...format,
      ...UNTOUCHED,
      ...mapping?.settings,
      columns: mapping ? withRemembered(columns, mapping.columns) : suggestTargets(columns),
    },
  };
}

async function* hashing(hash: Hash, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}
