import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import { createTestDatabase, startServer, type TestServer } from '../../support/index.ts';

let server: TestServer;
before(async () => {
  server = await startServer({ database: await createTestDatabase() });
});
after(() => server.stop());

/** Addresses that an HTML page loads: not those of links that a person may follow. */
const loadedBy = (html: string): string[] =>
  [...html.matchAll(/<(?:script|link|img|iframe|source)\b[^>]*?\b(?:src|href)="([^"]*)"/g)].map(
    ([, address]) => address as string,
  );

describe('/docs/reference', () => {
  test('is a page whose scripts, styles and icon come from the service and load', async () => {
    const page = await server.call('GET', '/docs/reference');
    assert.equal(page.status, 200);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    const loaded = loadedBy(page.text);
    const types = [];
    for (const address of loaded) {
      assert.match(address, /^\/docs\/assets\/[^/]/, 'an address of this service');
      const asset = await server.call('GET', address);
      assert.equal(asset.status, 200, address);
      assert.ok(asset.text.length > 100, address);
      assert.match(String(asset.headers['cache-control']), /max-age=\d{8}.*immutable/);
      assert.equal(asset.headers['x-content-type-options'], 'nosniff');
      types.push(asset.headers['content-type']);
    }
    assert.deepEqual(types.sort(), [
      'image/png',
      'text/css; charset=utf-8',
      'text/javascript; charset=utf-8',
      'text/javascript; charset=utf-8',
    ]);
  });

  test('has no script and no style in the page itself', async () => {
    const { text } = await server.call('GET', '/docs/reference');
    assert.doesNotMatch(text, /<style|\sstyle=|\son\w+=/i);
    for (const [script] of text.matchAll(/<script\b[^>]*>[^<]*/g))
      assert.match(script, /src="[^"]+"[^>]*>$/);
  });

  test('lets a browser load from, and send to, this service alone', async () => {
    const { headers } = await server.call('GET', '/docs/reference');
    const policy = Object.fromEntries(
      String(headers['content-security-policy'])
        .split('; ')
        .map((rule) => {
          const [name, ...sources] = rule.split(' ');
          return [name, sources];
        }),
    );
    assert.deepEqual(policy['default-src'], ["'none'"]);
    for (const [name, sources] of Object.entries(policy)) {
      for (const source of sources as string[]) {
        assert.ok(["'self'", "'none'", 'data:'].includes(source), `${name} ${source}`);
      }
    }
    for (const name of ['script-src', 'style-src', 'connect-src']) {
      assert.deepEqual(policy[name], ["'self'"], name);
    }
  });

  test('has styles and a start script that name no other host', async () => {
    const { text } = await server.call('GET', '/docs/reference');
    const small = loadedBy(text).filter((address) => /\.css$|\/start\.js$/.test(address));
    assert.equal(small.length, 2);
    for (const address of small) {
      const { text: content } = await server.call('GET', address);
      // A namespace of XML inside an embedded picture is a name, nothing that is loaded.
      const hosts = content
        .replaceAll('http://www.w3.org/2000/svg', '')
        .match(/(?:@import|url\(["']?|fetch\(|["'])\s*(?:https?:)?\/\/[^\s"')]+/g);
      assert.deepEqual(hosts, null, address);
    }
  });

  test('draws the document of this service and asks no validator about it', async () => {
    const { text } = await server.call('GET', '/docs/reference');
    const start = loadedBy(text).find((address) => address.endsWith('/start.js')) as string;
    const script = (await server.call('GET', start)).text;
    assert.match(script, /url: '\/openapi\.json'/);
    assert.match(script, /validatorUrl: null/);
  });

  test('answers with a slash too, and 404 for files that it does not need', async () => {
    assert.equal((await server.call('GET', '/docs/reference/')).status, 200);
    const { text } = await server.call('GET', '/docs/reference');
    const style = loadedBy(text).find((address) => address.endsWith('.css')) as string;
    for (const name of ['index.html', 'swagger-ui.js', '../package.json', '%2e%2e/package.json']) {
      const answer = await server.call('GET', style.replace('swagger-ui.css', name));
      assert.equal(answer.status, 404, name);
    }
  });
});

describe('/docs', () => {
  test('has a page and a source for every guide, and /llms.txt names them', async () => {
    const home = await server.call('GET', '/docs');
    const slugs = [...home.text.matchAll(/<h3><a href="\/docs\/guides\/([\w-]+)">/g)];
    assert.ok(slugs.length >= 12, `only ${slugs.length} guides`);
    const index = (await server.call('GET', '/llms.txt')).text;
    for (const [, slug] of slugs) {
      const page = await server.call('GET', `/docs/guides/${slug}`);
      assert.deepEqual([page.status, page.text.split('<h1').length], [200, 2], slug);
      const source = await server.call('GET', `/docs/guides/${slug}.md`);
      assert.match(source.text, /^# /, slug);
      assert.ok(index.includes(`${server.url}/docs/guides/${slug}.md`), slug);
    }
  });

  test('finds guides and operations', async () => {
    const found = (await server.call('GET', '/docs/search?q=reconcile')).text;
    assert.match(found, /href="\/docs\/guides\//);
    assert.match(found, /href="\/docs\/reference#\/Insertion\/reconcileLeads"/);
  });

  test('answers JSON, as everywhere, where there is no guide', async () => {
    assertFailure(await server.call('GET', '/docs/guides/none'), 404, 'not_found');
  });
});

describe('/openapi.json', () => {
  test('is the same each time, and need not be sent again', async () => {
    const first = await server.call('GET', '/openapi.json');
    assert.equal(first.headers['content-type'], 'application/json; charset=utf-8');
    const second = await server.call('GET', '/openapi.json');
    assert.equal(second.text, first.text);
    const headers = { 'if-none-match': first.headers.etag };
    const third = await server.call('GET', '/openapi.json', { headers: headers as never });
    assert.deepEqual([third.status, third.text], [304, '']);
  });
});
