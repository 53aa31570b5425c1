import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { get, type IncomingHttpHeaders } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildPage } from '../../support/builds.ts';
import { assertFailure } from '../../support/failure.ts';
import { createTestDatabase, startServer, type TestServer } from '../../support/index.ts';

const DIST = new URL('../../../../dashboard/dist/', import.meta.url);
/** Each with what it needs of parameters. */
const ADDRESSES = [
  '/',
  '/sign-in',
  '/join',
  '/reset',
  '/profile',
  '/a/x',
  '/a/x/leads/y?status=new',
];
const MOST_BYTES = 250 * 1024;

type Chunk = { file: string; imports?: string[]; css?: string[] };

let server: TestServer;
let manifest: Record<string, Chunk>;
before(async () => {
  await buildPage();
  server = await startServer({ database: await createTestDatabase() });
  manifest = JSON.parse(await readFile(new URL('manifest.json', DIST), 'utf8'));
});
after(() => server.stop());

type Raw = { status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer };

const fetchRaw = (path: string, acceptEncoding: string): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': acceptEncoding };
    get(`${server.url}${path}`, { headers }, async (response) => {
      const bytes = Buffer.concat(await response.toArray());
      resolve({ status: response.statusCode, headers: response.headers, bytes });
    }).on('error', reject);
  });

/** The scripts that a browser loads for these entries of the manifest. */
function scriptsOf(entries: readonly string[]): string[] {
  const seen = new Set<string>();
  const visit = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    const chunk = manifest[name];
    assert.ok(chunk, `${name} stands in the manifest of the build`);
    chunk.imports?.forEach(visit);
  };
  entries.forEach(visit);
  return [...seen].map((name) => manifest[name]?.file ?? '').filter((file) => file.endsWith('.js'));
}

describe("the dashboard's page", () => {
  test('answers its own addresses with one document that is never kept without asking', async () => {
    const first = await server.call('GET', '/');
    assert.match(first.text, /<div id="root">/);
    for (const address of ADDRESSES) {
      const page = await server.call('GET', address);
      assert.equal(page.status, 200, address);
      assert.equal(page.text, first.text, address);
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(page.headers['cache-control'], 'no-cache');
      const head = await server.call('HEAD', address);
      assert.equal(head.status, 200, address);
      assert.equal(head.text, '');
    }
  });

  test('lets a browser run scripts of this service alone, and nobody frame it', async () => {
    for (const address of [...ADDRESSES, `/${manifest['index.html']?.file}`]) {
      const { headers } = await server.call('GET', address);
      const policy = Object.fromEntries(
        String(headers['content-security-policy'])
          .split('; ')
          .map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]),
      );
      assert.equal(policy['default-src'], "'none'", address);
      assert.equal(policy['script-src'], "'self'");
      assert.equal(policy['connect-src'], "'self'");
      assert.equal(policy['frame-ancestors'], "'none'");
      assert.equal(policy['base-uri'], "'none'");
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      assert.match(String(headers['permissions-policy']), /camera=\(\)/);
    }
  });

  test('tells nobody where a person came from who holds a link with a token', async () => {
    const policyOf = async (address: string) =>
      (await server.call('GET', address)).headers['referrer-policy'];
    assert.equal(await policyOf('/join'), 'no-referrer');
    assert.equal(await policyOf('/reset'), 'no-referrer');
    assert.equal(await policyOf('/a/x/leads'), 'same-origin');
  });

  test('has no script and no handler within the document', async () => {
    const { text } = await server.call('GET', '/');
    assert.doesNotMatch(text, /\son\w+=/i);
    const scripts = [...text.matchAll(/<script\b([^>]*)>([^<]*)/g)];
    assert.ok(scripts.length > 0);
    for (const [, attributes, content] of scripts) {
      assert.match(String(attributes), /src="\/assets\//);
      assert.equal(content, '');
    }
  });

  test('sends its assets compressed as the browser can read them, to be kept for ever', async () => {
    const path = `/${manifest['index.html']?.file}`;
    const plain = await fetchRaw(path, 'identity');
    assert.equal(plain.status, 200);
    assert.equal(plain.headers['content-encoding'], undefined);
    const brotli = await fetchRaw(path, 'gzip, deflate, br');
    assert.equal(brotli.headers['content-encoding'], 'br');
    assert.deepEqual(brotliDecompressSync(brotli.bytes), plain.bytes);
    const gzip = await fetchRaw(path, 'gzip');
    assert.equal(gzip.headers['content-encoding'], 'gzip');
    assert.deepEqual(gunzipSync(gzip.bytes), plain.bytes);
    for (const { headers } of [plain, brotli, gzip]) {
      assert.match(String(headers['content-type']), /javascript; charset=utf-8$/);
      assert.match(String(headers['cache-control']), /max-age=31536000.*immutable/);
      assert.match(String(headers.vary), /accept-encoding/i);
    }
  });

  test('leaves every other address to the service: 404 and 405 as JSON', async () => {
    const others = [
      '/a',
      '/index.html',
      '/manifest.json',
      '/assets/',
      '/assets/nothing-0123abcd.js',
      `/${manifest['index.html']?.file}.br`,
      '/assets/..%2Findex.html',
      '/assets/..%2F..%2Fpackage.json',
      '/assets/%2e%2e%2findex.html',
      '/assets/.%2Findex.html',
      '/sign-in/more',
      '/dashboard',
      '/leads',
    ];
    for (const address of others) {
      const answer = await server.call('GET', address);
      assertFailure(answer, 404, 'not_found');
    }
    for (const address of ['/', '/sign-in', '/a/x/leads', '/assets/x.js']) {
      const answer = await server.call('POST', address, { body: {} });
      assertFailure(answer, 405, 'method_not_allowed');
      assert.equal(answer.headers.allow, 'GET, HEAD');
    }
  });
});

describe('what the page was built to', () => {
  test('asks no other host for anything', async () => {
    const names = (await readdir(new URL('assets/', DIST))).filter((name) =>
      /\.(?:js|css|svg)$/.test(name),
    );
    assert.ok(names.length > 5);
    for (const name of names) {
      const text = await readFile(new URL(`assets/${name}`, DIST), 'utf8');
      if (name.endsWith('.css'))
        assert.doesNotMatch(text, /@import|url\(["']?(?:https?:)?\/\//, name);
      const calls = /(?:fetch|import|EventSource|WebSocket)\(\s*["'`](?:https?:|wss?:)?\/\//;
      assert.doesNotMatch(text, calls, name);
      assert.doesNotMatch(text, /\b(?:src|href)=\\?["']https?:\/\//, name);
    }
    const html = await readFile(new URL('index.html', DIST), 'utf8');
    assert.doesNotMatch(html, /https?:\/\//);
  });

  test('carries no schema library into the browser', async () => {
    const names = await readdir(new URL('assets/', DIST));
    for (const name of names.filter((one) => one.endsWith('.js'))) {
      const text = await readFile(new URL(`assets/${name}`, DIST), 'utf8');
      assert.doesNotMatch(text, /typebox/i, name);
    }
  });

  const FIRST_LOADS = {
    'sign-in': ['index.html', 'src/pages/entry/SignInPage.tsx'],
    overview: ['index.html', 'src/shell/Shell.tsx', 'src/pages/overview/OverviewPage.tsx'],
  };

  for (const [name, entries] of Object.entries(FIRST_LOADS)) {
    test(`needs at most 250 KiB of gzipped script for the first load of ${name}`, async (t) => {
      const files = scriptsOf(entries);
      const sizes = await Promise.all(
        files.map(async (file) => (await readFile(new URL(`${file}.gz`, DIST))).length),
      );
      const total = sizes.reduce((sum, size) => sum + size, 0);
      t.diagnostic(`${(total / 1024).toFixed(1)} KiB in ${files.length} files`);
      assert.ok(total > 10_000, 'the page has scripts');
      assert.ok(total <= MOST_BYTES, `${(total / 1024).toFixed(1)} KiB`);
    });
  }
});
