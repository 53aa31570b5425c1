import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { findProgram, installPublished } from './published.ts';
import { startScene } from './scene.ts';

const run = promisify(execFile);
const [scene, { folder, remove }] = await Promise.all([startScene(), installPublished()]);
after(async () => {
  await scene.close();
  await remove();
});
const EXPECTED = {
  ...{ status: 'inserted', phone: '+14155550132', agrees: 1 },
  ...{ code: 'not_found', test: 2432232314 },
};
let runs = 0;

const optionsFor = () => ({
  baseUrl: scene.server.url,
  publicKey: scene.ours.full.public_key,
  secretKey: scene.ours.full.secret_key,
  externalId: `runtime-${runs++}`,
});

/** What the check prints when it is run by a program; the program must end by itself. */
async function checkedBy(program: string, ...args: string[]): Promise<unknown> {
  const options = JSON.stringify(optionsFor());
  const entry = `import { check } from './check.mjs'; console.log(JSON.stringify(await check(${options})));`;
  await writeFile(join(folder, 'main.mjs'), entry);
  const { stdout, stderr } = await run(program, [...args, 'main.mjs'], {
    cwd: folder,
    timeout: 30_000,
  });
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

describe('the published package', () => {
  test('holds one file of JavaScript and its types, and depends on nothing', async () => {
    const package_ = join(folder, 'node_modules/@leadwire/sdk');
    const names = await readdir(package_);
    assert.deepEqual(names.filter((name) => !name.endsWith('.d.ts')).sort(), [
      'README.md',
      'index.js',
      'package.json',
    ]);
    const manifest = JSON.parse(await readFile(join(package_, 'package.json'), 'utf8'));
    assert.deepEqual(
      Object.keys(manifest).filter((key) => /dependencies/i.test(key)),
      [],
    );
    assert.deepEqual(await readdir(join(folder, 'node_modules/@leadwire')), ['sdk']);
  });

  test('has types for a strict consumer that knows nothing of Node', async () => {
    await writeFile(
      join(folder, 'consumer.ts'),
      await readFile(new URL('consumer.ts', import.meta.url)),
    );
    const tsc = join(
      createRequire(import.meta.url).resolve('typescript/package.json'),
      '../bin/tsc',
    );
    const settings = [
      '--strict',
      '--exactOptionalPropertyTypes',
      '--noUncheckedIndexedAccess',
      '--noEmit',
      '--types',
      '',
    ];
    for (const [module, resolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ] as const) {
      const args = [
        '--module',
        module,
        '--moduleResolution',
        resolution,
        '--target',
        'es2022',
        '--lib',
        'es2022,dom',
      ];
      await run(process.execPath, [tsc, ...settings, ...args, 'consumer.ts'], { cwd: folder });
    }
  });
});

describe('the published package works', () => {
  test('with this Node, and lets it end', async () => {
    assert.deepEqual(await checkedBy(process.execPath), EXPECTED);
  });

  test('with an older Node, 20 to 23', async (t) => {
    const node = await findProgram('node', (version) => /^v2[0-3]\./.test(version));
    if (!node) return t.skip('there is none on this machine');
    assert.deepEqual(await checkedBy(node), EXPECTED);
  });

  test('with Bun', async (t) => {
    const bun = await findProgram('bun');
    if (!bun) return t.skip('there is none on this machine');
    assert.deepEqual(await checkedBy(bun, 'run'), EXPECTED);
  });

  test('with Deno', async (t) => {
    const deno = await findProgram('deno');
    if (!deno) return t.skip('there is none on this machine');
    assert.deepEqual(await checkedBy(deno, 'run', '--quiet', '--allow-net=127.0.0.1'), EXPECTED);
  });

  test('where there is nothing of Node, as in edge runtimes, and as part of a bundle', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(folder, 'check.mjs')],
      ...{ bundle: true, format: 'iife', globalName: 'bundle', platform: 'neutral', write: false },
    });
    const context = createContext(edgeGlobals());
    runInContext(outputFiles[0]?.text ?? '', context);
    const check = runInContext('bundle.check', context);
    // Made in there, objects have other prototypes.
    assert.deepEqual(JSON.parse(JSON.stringify(await check(optionsFor()))), EXPECTED);
  });
});

/** What a worker of WinterTC (ECMA-429) has beside the language, as far as the SDK is concerned. */
function edgeGlobals(): object {
  const { fetch, Headers, Request, Response, URL, URLSearchParams, TextEncoder, TextDecoder } =
    globalThis;
  const {
    crypto,
    AbortController,
    AbortSignal,
    DOMException,
    setTimeout,
    clearTimeout,
    atob,
    btoa,
  } = globalThis;
  return {
    ...{ fetch, Headers, Request, Response, URL, URLSearchParams, TextEncoder, TextDecoder },
    ...{ crypto, AbortController, AbortSignal, DOMException, setTimeout, clearTimeout, atob, btoa },
  };
}
