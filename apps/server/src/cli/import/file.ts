import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { IMPORT_PART_BYTES } from '@leadwire/contract/dashboard';
import { ConfigError } from '../../platform/config/index.ts';

/** A file to import: its length and SHA-256, and its bytes part by part. */
export type LocalFile = {
  bytes: number;
  sha256: string;
  parts(): AsyncGenerator<Buffer>;
  close(): Promise<void>;
};

/** @throws ConfigError that names the file */
export async function openFile(path: string): Promise<LocalFile> {
  const unreadable = (error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${path} cannot be read (${error.code}). Give the path of a CSV file.`);
  };
  const handle = await open(path, 'r').catch(unreadable);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const part of partsOf(handle)) {
      hash.update(part);
      bytes += part.length;
    }
  } catch (error) {
    await handle.close();
    unreadable(error as NodeJS.ErrnoException);
  }
  const sha256 = hash.digest('hex');
  return { bytes, sha256, parts: () => partsOf(handle), close: () => handle.close() };
}

async function* partsOf(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const buffer = Buffer.allocUnsafe(IMPORT_PART_BYTES);
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position);
      if (bytesRead === 0) break;
      filled += bytesRead;
      position += bytesRead;
    }
    if (filled > 0) yield buffer.subarray(0, filled);
    if (filled < buffer.length) return;
  }
}
