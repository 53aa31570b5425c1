import { IMPORT_MAX_BYTES } from '@leadwire/contract/dashboard';
import { type Clock, formatMicros } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/errors/index.ts';
import { EMPTY_FILE, fileTooLarge, wrongPart } from './errors.ts';
import { bytesOfPart, partsOf } from './file.ts';
import { inspect } from './inspect.ts';
import {
  findImport,
  type ImportKey,
  insertImport,
  type StoredImport,
  storeFound,
} from './repository/imports.ts';
import { insertPart } from './repository/parts.ts';
import { fileUntil } from './retention.ts';
import { makeRoom } from './room.ts';

export type UploadDeps = { database: Database; clock: Clock; newId: () => string };

/** Files as they arrive, in parts that may be sent twice and in any order, to any process. */
export function createUpload({ database, clock, newId }: UploadDeps) {
  async function read(key: ImportKey): Promise<StoredImport> {
    const found = await findImport(database, key);
    if (!found) throw notFound();
    return found;
  }

  return {
    read,

    /** @param madeBy the person; null for the command line. @throws AppError 400 for a file that is too large; 409 for want of room */
    async create(
      accountId: string,
      file: { fileName: string; bytes: number },
      madeBy: string | null,
    ): Promise<StoredImport> {
      if (file.bytes > IMPORT_MAX_BYTES) throw fileTooLarge();
      const key = { accountId, importId: newId() };
      const isEmpty = file.bytes === 0;
      await database.transaction(async (query) => {
        if (!isEmpty) await makeRoom(query, { accountId, bytes: file.bytes }, clock);
        await insertImport(query, {
          ...{ ...key, ...file, madeBy, at: formatMicros(clock.nowMicros()) },
          failure: isEmpty ? EMPTY_FILE : null,
          fileUntil: isEmpty ? null : fileUntil(clock),
        });
      });
      return read(key);
    },

    /**
     * Keeps one part; the last to arrive has the file looked at.
     * @throws AppError 404, 400 where the file has no such part or the part is of another size
     */
    async add(key: ImportKey, part: number, data: Buffer): Promise<StoredImport> {
      const one = await read(key);
      const of = partsOf(one.bytes);
      if (!Number.isInteger(part) || part < 0 || part >= of) {
        throw wrongPart(`part must be from 0 to ${of - 1}, as the file has ${of} parts`);
      }
      const expected = bytesOfPart(one.bytes, part);
      if (data.length !== expected) {
        throw wrongPart(`part ${part} must have ${expected} bytes and has ${data.length}`);
      }
      if (one.state !== 'uploading') return one;
      await insertPart(database, key, part, data);
      const now = await read(key);
      if (now.state !== 'uploading' || now.partsArrived < of) return now;
      await storeFound(database, key, await inspect(database, now));
      return read(key);
    },
  };
}
