import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const ROOT = here('../../../../../');

export type Consumer = { folder: string; remove(): Promise<void> };

/** Builds the SDK, packs it, and installs the package into an empty folder, without a network. */
export async function installPublished(): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), 'leadwire-sdk-'));
  const [dist, consumer] = [join(folder, 'dist'), join(folder, 'consumer')];
  await run(process.execPath, [join(ROOT, 'packages/sdk/build.mjs'), dist]);
  const npm = async (cwd: string, ...args: string[]) => run('npm', args, { cwd });
  await npm(dist, 'pack', '--pack-destination', folder);
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  await mkdir(consumer);
  await writeFile(join(consumer, 'package.json'), '{"type":"module","private":true}');
  await npm(consumer, 'install', '--offline', '--no-audit', '--no-fund', join(folder, archive));
  await cp(here('package-check.mjs'), join(consumer, 'check.mjs'));
  return { folder: consumer, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The first program of this name on the PATH, outside of what npm put there, that `fits`; null where there is none. */
export async function findProgram(
  name: string,
  fits: (version: string) => boolean = () => true,
): Promise<string | null> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  for (const folder of folders) {
    const program = join(folder, name);
    const version = await run(program, ['--version']).then(
      ({ stdout }) => stdout,
      () => null,
    );
    if (version !== null && fits(version)) return program;
  }
  return null;
}
