import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where Chromium is: CHROMIUM_PATH, its usual places, the PATH; null where there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  return PLACES.find((path) => existsSync(path)) ?? onPath('chromium');
}

function onPath(command: string): string | null {
  try {
    return execFileSync('which', [command], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}

/**
 * Why the tests in a browser are skipped; false where they run.
 * @throws where CI has no Chromium: there a skipped test would look like one that passed
 */
export function skipWithoutChromium(env: NodeJS.ProcessEnv = process.env): string | false {
  if (findChromium(env)) return false;
  const advice =
    'No Chromium was found. Install it (Debian: apt-get install chromium) or name it in CHROMIUM_PATH.';
  if (env.CI === 'true') throw new Error(advice);
  return advice;
}
