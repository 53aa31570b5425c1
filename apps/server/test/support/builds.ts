import { execFile } from 'node:child_process';
import { readdir, rm, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publishEntry } from './cli.ts';

const SERVER = fileURLToPath(new URL('../../', import.meta.url));
const DIST = `${SERVER}dist/`;
const BUILD_PAGE = fileURLToPath(new URL('../../../dashboard/build-if-stale.mjs', import.meta.url));
const ABANDONED_AFTER_MS = 3_600_000;

const run = (...args: string[]) => promisify(execFile)(process.execPath, args);

/**
 * Builds the service into one file and lets the tests start that: a run starts it some hundreds of times, and from its sources
 * each start costs twice the work. Where it cannot be built the tests start the sources.
 * @returns removes the file
 */
export async function buildBundle(): Promise<() => Promise<void>> {
  const name = `test-${process.pid}.js`;
  await removeAbandoned();
  try {
    await run(`${SERVER}build.mjs`, name);
    publishEntry(DIST + name);
  } catch (error) {
    console.warn(`The tests start the service from its sources: ${(error as Error).message}`);
  }
  return () => rm(DIST + name, { force: true });
}

/** A run that was killed has left its file. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(DIST).catch(() => [])) {
    if (!/^test-\d+\.js$/.test(name)) continue;
    const { mtimeMs } = await stat(DIST + name).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(DIST + name, { force: true });
  }
}

/** Builds the dashboard's page where its sources have changed. */
export async function buildPage(): Promise<void> {
  try {
    await run(BUILD_PAGE);
  } catch (error) {
    console.warn(`The dashboard's page could not be built: ${(error as Error).message}`);
  }
}
