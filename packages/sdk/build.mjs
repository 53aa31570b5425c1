// What is published, in dist/: one file of JavaScript, its types, and a package.json without anything of this workspace.
// `node packages/sdk/build.mjs [FOLDER]`, a folder beside it for tests that build at one time.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const dist = resolve(process.argv[2] ?? here('dist'));

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await Promise.all([
  bundle(),
  writeTypes(),
  writeManifest(),
  cp(here('README.md'), join(dist, 'README.md')),
]);

async function bundle() {
  const { metafile } = await build({
    entryPoints: [here('src/index.ts')],
    outfile: join(dist, 'index.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    metafile: true,
    logLevel: 'warning',
  });
  const [output] = Object.values(metafile.outputs);
  if (output.imports.length > 0) throw new Error(`imports ${output.imports[0].path}`);
}

/** Types of the sources alone: what they import of the contract shows in none of them. */
async function writeTypes() {
  const out = await mkdtemp(join(tmpdir(), 'leadwire-sdk-types-'));
  try {
    const tsc = createRequire(import.meta.url).resolve('typescript/package.json');
    const args = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', out];
    await promisify(execFile)(process.execPath, [
      join(tsc, '../bin/tsc'),
      ...['-p', here('tsconfig.build.json'), '--rootDir', here('..'), ...args],
    ]);
    const from = join(out, 'sdk/src');
    const files = (await readdir(from)).filter((name) => name.endsWith('.d.ts'));
    await Promise.all(
      files.map(async (name) => {
        const text = await readFile(join(from, name), 'utf8');
        if (text.includes('@leadwire/contract')) throw new Error(`${name} shows the contract`);
        await writeFile(
          join(dist, name),
          text.replaceAll(/(['"]\.\/[^'"]+)\.ts(['"])/g, '$1.js$2'),
        );
      }),
    );
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

async function writeManifest() {
  const source = JSON.parse(await readFile(here('package.json'), 'utf8'));
  const { name, version, description, license, type, sideEffects, engines } = source;
  const manifest = {
    ...{ name, version, description, license, type, sideEffects, engines },
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    types: './index.d.ts',
    files: ['*.js', '*.d.ts', 'README.md'],
  };
  await writeFile(join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
