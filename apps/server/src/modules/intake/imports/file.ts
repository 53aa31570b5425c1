import { IMPORT_PART_BYTES } from '@leadwire/contract/dashboard';
import type { Database } from '../../../platform/database/index.ts';
import { UnreadableFile } from './errors.ts';
import type { ImportKey } from './repository/imports.ts';
import { readPart } from './repository/parts.ts';

/** How many parts a file of so many bytes comes in. */
export const partsOf = (bytes: number): number => Math.ceil(bytes / IMPORT_PART_BYTES);

/** Bytes of one part of a file. */
export const bytesOfPart = (bytes: number, part: number): number =>
  Math.min(IMPORT_PART_BYTES, bytes - part * IMPORT_PART_BYTES);

// The driver decodes what it receives at once, and nobody else has their turn meanwhile.
const PIECE_BYTES = 256 * 1024;
/** More than any header and the rows that are looked at first. */
const START_BYTES = 2 * 1024 * 1024;

/** How a file begins. @returns null where it is not there */
export const readStart = (database: Database, key: ImportKey): Promise<Buffer | null> =>
  readPart(database, key, 0, { from: 0, bytes: START_BYTES });

/** The bytes of a file, piece by piece. @throws UnreadableFile where it is gone */
export async function* readFile(
  database: Database,
  file: ImportKey & { bytes: number },
): AsyncGenerator<Buffer> {
  for (let part = 0; part < partsOf(file.bytes); part++) {
    const length = bytesOfPart(file.bytes, part);
    for (let from = 0; from < length; from += PIECE_BYTES) {
      const data = await readPart(database, file, part, { from, bytes: PIECE_BYTES });
      if (!data) {
        const message = 'The file is no longer kept. Upload it again.';
        throw new UnreadableFile({ code: 'file_gone', message });
      }
      yield data;
    }
  }
}
