import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { hasErrno } from './errors.ts';

/** Passwords of the two roles of the cluster; letters, digits, `-` and `_` only. */
export interface Credentials {
  /** Of `postgres`, the superuser. */
  superuser: string;
  /** Of `leadwire`, the role the service connects as. */
  service: string;
}

const FILES = { superuser: 'postgres-superuser-password', service: 'postgres-password' } as const;

export const generateCredentials = (): Credentials => ({
  superuser: randomBytes(24).toString('base64url'),
  service: randomBytes(24).toString('base64url'),
});

/** The stored passwords; null when one of the files is missing. */
export async function readCredentials(dataDir: string): Promise<Credentials | null> {
  try {
    const [superuser, service] = await Promise.all(
      [FILES.superuser, FILES.service].map((file) => readFile(path.join(dataDir, file), 'utf8')),
    );
    return superuser && service ? { superuser: superuser.trim(), service: service.trim() } : null;
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Stores both passwords durably, each in a file that only the service's user can read. */
export async function writeCredentials(dataDir: string, credentials: Credentials): Promise<void> {
  for (const role of ['superuser', 'service'] as const) {
    const file = path.join(dataDir, FILES[role]);
    const handle = await open(`${file}.new`, 'w', 0o600);
    try {
      await handle.writeFile(`${credentials[role]}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${file}.new`, file);
  }
}
