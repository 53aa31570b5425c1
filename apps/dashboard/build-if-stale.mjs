// Builds the page into dist/ unless what is there was built from the very same sources. Run by npm (prepare, prestart) and by
// the tests; safe when several run at once. Plain JavaScript: it may be run by an older Node than the service needs.
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');
const DIST = join(HERE, 'dist');
const STAMP = join(DIST, 'built-from');
// What the page shows of them; the others would have it built again for nothing.
const EXAMPLES = ['shell', 'node', 'python', 'php', 'ruby', 'go', 'sdk'];
const SOURCES = [
  join(HERE, 'src'),
  join(HERE, 'index.html'),
  join(HERE, 'vite.config.ts'),
  join(HERE, 'package.json'),
  join(HERE, 'build-if-stale.mjs'),
  join(ROOT, 'packages', 'contract', 'src'),
  join(ROOT, 'package-lock.json'),
  ...EXAMPLES.map((name) => join(ROOT, 'examples', name)),
];
const COMPRESSED = /\.(?:js|css|html|svg|json)$/;

const wanted = await hashOf(SOURCES);
if ((await readFile(STAMP, 'utf8').catch(() => '')) !== wanted) await buildAndPublish(wanted);

/** Of the names and contents of all files: times say nothing after a checkout. */
async function hashOf(paths) {
  const files = (await Promise.all(paths.map(filesBelow))).flat().sort();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const hash = createHash('sha256');
  files.forEach((file, index) => {
    hash.update(`${relative(ROOT, file)}\0${contents[index].length}\0`).update(contents[index]);
  });
  return hash.digest('hex');
}

async function filesBelow(path) {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (!entries) return [path];
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

async function buildAndPublish(stamp) {
  const built = join(DIST, `.build-${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    await build(built);
    await compressAll(built);
    await writeFile(join(built, 'built-from'), stamp);
    await publish(built);
  } finally {
    await rm(built, { recursive: true, force: true });
  }
}

async function build(outDir) {
  const vite = await import('vite').catch(() => {
    throw fail(
      'The dashboard cannot be built: vite is not installed. Run `npm ci` in the checkout.',
    );
  });
  const options = { configFile: join(HERE, 'vite.config.ts'), logLevel: 'silent' };
  await vite.build({ ...options, build: { outDir, emptyOutDir: false } }).catch(async (error) => {
    await rm(outDir, { recursive: true, force: true });
    throw fail(`The dashboard cannot be built. ${stripVTControlCharacters(error.message)}`);
  });
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

async function compressAll(dir) {
  const files = (await filesBelow(dir)).filter((file) => COMPRESSED.test(file));
  await Promise.all(files.map(compress));
}

async function compress(file) {
  const bytes = await readFile(file);
  const [small, smaller] = await Promise.all([
    promisify(gzip)(bytes, { level: 9 }),
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  ]);
  await Promise.all([writeFile(`${file}.gz`, small), writeFile(`${file}.br`, smaller)]);
}

/**
 * Names of assets carry a hash of their contents, so new ones never stand in the way of old ones; the page that names them
 * comes after them, and each file in one step: whoever reads meanwhile sees the old page or the new one, whole.
 */
async function publish(built) {
  const before = await readdir(join(DIST, 'assets')).catch(() => []);
  const names = await readdir(join(built, 'assets'));
  await mkdir(join(DIST, 'assets'), { recursive: true });
  await Promise.all(
    names.map((name) => rename(join(built, 'assets', name), join(DIST, 'assets', name))),
  );
  const others = (await readdir(built)).filter(
    (name) => name !== 'assets' && name !== 'built-from',
  );
  for (const name of [...others, 'built-from']) await rename(join(built, name), join(DIST, name));
  const old = before.filter((name) => !names.includes(name));
  await Promise.all(old.map((name) => rm(join(DIST, 'assets', name), { force: true })));
}
