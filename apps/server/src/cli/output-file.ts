import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { ConfigError } from '../platform/config/index.ts';

/** A file under a name of its own beside the one that was asked for. */
export type OutputFile = {
  handle: FileHandle;
  /** Once it is whole and on the disk, under its name. @throws ConfigError */
  place(): Promise<void>;
  /** Removes what was written; nothing after `place`. */
  drop(): Promise<void>;
};

/**
 * Opens a file that is under its name once it is whole, or not at all. Leads are personal data: it is its owner's alone.
 * @throws ConfigError where it cannot be written, or what is there is a device or a pipe, which must not be replaced
 */
export async function openOutputFile(path: string): Promise<OutputFile> {
  await checkReplaceable(path);
  const part = `${path}.${randomBytes(4).toString('hex')}.part`;
  const orSentence = (error: unknown): never => {
    throw unwritable(path, error);
  };
  const handle = await open(part, 'wx', 0o600).catch(orSentence);
  return {
    handle,
    async place() {
      await handle.sync().catch(orSentence);
      await handle.close();
      await rename(part, path).catch(orSentence);
    },
    async drop() {
      await handle.close();
      await rm(part, { force: true });
    },
  };
}

/** What to do about an error of writing to `path`. */
export const unwritable = (path: string, error: unknown): ConfigError =>
  new ConfigError(
    `${path} cannot be written (${(error as NodeJS.ErrnoException).code}). Give another --output.`,
    { cause: error },
  );

async function checkReplaceable(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  // A directory is never replaced by a file.
  if (found === null || found.isFile() || found.isDirectory()) return;
  throw new ConfigError(`${path} cannot be written: it is no file. Give another --output.`);
}
