import { stat } from 'node:fs/promises';
import { ConfigError } from '../platform/config/index.ts';

/**
 * For a file that is put in its place when it is whole: what is there is replaced, and a device or a pipe must not be.
 * @throws ConfigError where there is something that is no file
 */
export async function checkReplaceable(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  // A directory is never replaced by a file.
  if (found === null || found.isFile() || found.isDirectory()) return;
  throw new ConfigError(`${path} cannot be written: it is no file. Give another --output.`);
}
