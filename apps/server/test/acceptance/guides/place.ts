import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entry } from '../../support/cli.ts';
import type { Step } from './steps.ts';

const SDK = fileURLToPath(new URL('../../../../../packages/sdk', import.meta.url));
const EXTENSIONS = { sh: 'sh', ts: 'mts', js: 'mjs' };

/** Where the blocks of a guide are run: folders of its own, gone afterwards. */
export type Place = {
  /** The empty folder that the blocks start in; `@leadwire/sdk` resolves from it. */
  work: string;
  /** Holds `npx`, for the front of PATH. */
  bin: string;
  /** Writes a block so that whatever names a line of it names the line of the guide. */
  write(step: Step, guide: string): Promise<string>;
  file(name: string): string;
  remove(): Promise<void>;
};

/** @param env what `npx leadwire` finds its store by; the blocks themselves do not see it */
export async function makePlace(env: Record<string, string>): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'leadwire-guide-'));
  const [work, bin, blocks] = ['work', 'bin', 'blocks'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([work, bin, blocks].map((folder) => mkdir(folder)));
  await mkdir(join(root, 'node_modules/@leadwire'), { recursive: true });
  await symlink(SDK, join(root, 'node_modules/@leadwire/sdk'));
  await writeFile(join(bin, 'npx'), npx(env));
  await chmod(join(bin, 'npx'), 0o755);
  return {
    ...{ work, bin },
    file: (name) => join(blocks, name),
    async write({ language, line, text }, guide) {
      const path = join(blocks, `${guide}-${line}.${EXTENSIONS[language]}`);
      await writeFile(path, '\n'.repeat(line - 1) + text);
      return path;
    },
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** `npx leadwire` without npm, which takes a second to find it. */
const npx = (env: Record<string, string>): string => `#!/usr/bin/env bash
if [ "$1" != leadwire ]; then echo "only npx leadwire is here, not npx $1" >&2; exit 127; fi
shift
${Object.entries(env)
  .map(([name, value]) => `export ${name}=${quote(value)}`)
  .join('\n')}
exec ${quote(process.execPath)} ${quote(entry())} "$@"
`;

export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
