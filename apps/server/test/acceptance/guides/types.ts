import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePlace } from './place.ts';
import { stepsOf } from './steps.ts';

const REPOSITORY = fileURLToPath(new URL('../../../../../', import.meta.url));

const OPTIONS = {
  ...{ target: 'es2024', lib: ['es2024', 'esnext.collection'], module: 'nodenext' },
  ...{ types: ['node'], noEmit: true, strict: true, skipLibCheck: true },
  ...{ allowImportingTsExtensions: true, erasableSyntaxOnly: true },
};

/**
 * Checks the TypeScript blocks of guides as a strict project of a reader would.
 * @returns what the compiler says, each with guide and line; '' where it says nothing
 */
export async function typeErrorsOf(
  guides: readonly { slug: string; markdown: string }[],
): Promise<string> {
  const place = await makePlace({});
  try {
    const files: string[] = [];
    for (const { slug, markdown } of guides) {
      for (const step of stepsOf(markdown).filter(({ language }) => language === 'ts')) {
        files.push(await place.write(step, slug));
      }
    }
    if (files.length === 0) return '';
    const types = join(place.work, '../node_modules/@types');
    await mkdir(types);
    await symlink(join(REPOSITORY, 'node_modules/@types/node'), join(types, 'node'));
    const project = join(place.work, 'tsconfig.json');
    await writeFile(project, JSON.stringify({ compilerOptions: OPTIONS, files }));
    return await compile(project);
  } finally {
    await place.remove();
  }
}

const compile = (project: string): Promise<string> =>
  new Promise((resolve) => {
    const tsc = join(REPOSITORY, 'node_modules/typescript/bin/tsc');
    const arguments_ = [tsc, '--pretty', 'false', '-p', project];
    execFile(process.execPath, arguments_, (error, stdout, stderr) =>
      resolve(error ? stdout + stderr || String(error) : ''),
    );
  });
