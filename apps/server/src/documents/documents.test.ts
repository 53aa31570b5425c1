import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import fastify, { type FastifyInstance } from 'fastify';
import { readGuides } from './guides.ts';
import { registerDocuments } from './index.ts';

const WEBHOOKS = `# Webhooks

Told of \`every\` change.

## Verify & trust

Look at **the signature**. <script>alert(1)</script> [Limits](limits.md#sizes), [out](https://example.com/),
[here](#verify--trust), [decision](../adr/0001.md), [bad](javascript:alert(1)).

## Verify & trust

| Header | Means |
|---|---|
| \`webhook-id\` | the idempotency of it |

\`\`\`sh no-run="needs a <b>"
curl "<here>"
\`\`\`
`;
const LIMITS = '# Limits\n\nNumbers.\n\n## Sizes\n\nA body has 256 KiB.\n';

let folder: string;
let app: FastifyInstance;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leadwire-documents-'));
  await writeFile(join(folder, 'webhooks.md'), WEBHOOKS);
  await writeFile(join(folder, 'limits.md'), LIMITS);
  app = fastify();
  await registerDocuments(app, {
    folder: pathToFileURL(`${folder}/`),
    assets: new URL('../../assets/documents/', import.meta.url),
    publicUrl: 'https://leads.example.com',
    operations: () => [
      {
        operationId: 'insertLead',
        method: 'POST',
        path: '/api/v1/x',
        summary: 'Create',
        tag: 'A b',
      },
    ],
  });
});
after(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url, headers });
const find = async (query: string) =>
  (await get(`/docs/search?q=${encodeURIComponent(query)}`)).body;

describe('a guide', () => {
  test('is shown with its headings named once each, and says no more of a block than its code', async () => {
    const { body } = await get('/docs/guides/webhooks');
    assert.match(
      body,
      /<h2 id="verify--trust"><a class="anchor" href="#verify--trust">Verify &amp; trust</,
    );
    assert.match(body, /<h2 id="verify--trust-1">/);
    assert.match(body, /<code class="language-sh">curl &quot;&lt;here&gt;&quot;\n<\/code>/);
    assert.doesNotMatch(body, /no-run|needs a/);
  });

  test('holds no markup but that of Markdown, and no link that runs or leads nowhere', async () => {
    const { body } = await get('/docs/guides/webhooks');
    assert.doesNotMatch(body, /<script|href="javascript|<style|\sstyle=|\son\w+=/i);
    assert.match(body, /&lt;script&gt;/);
    assert.match(body, /<a href="\/docs\/guides\/limits#sizes">Limits<\/a>/);
    assert.match(body, /<a href="https:\/\/example\.com\/">out<\/a>/);
    assert.match(body, /<a href="#verify--trust">here<\/a>, decision, /);
  });

  test('leads to its neighbours, to its parts and to its source', async () => {
    const { body } = await get('/docs/guides/webhooks');
    assert.match(body, /aria-current="page">Webhooks</);
    assert.match(body, /<a href="\/docs\/guides\/limits"><span>Next<\/span>Limits<\/a>/);
    assert.match(body, /<li><a href="#verify--trust-1">/);
    const source = await get('/docs/guides/webhooks.md');
    assert.equal(source.headers['content-type'], 'text/markdown; charset=utf-8');
    assert.equal(source.body, WEBHOOKS);
  });

  test('that is not there is 404, whatever its name', async () => {
    const names = ['none', 'none.md', '.md', 'limits.md.md', '..%2Flimits', 'constructor'];
    for (const name of names) {
      assert.equal((await get(`/docs/guides/${name}`)).statusCode, 404, name);
    }
  });

  test('need not be sent again while it is the same', async () => {
    const first = await get('/docs/guides/limits');
    assert.equal(first.headers['cache-control'], 'no-cache');
    const second = await get('/docs/guides/limits', {
      'if-none-match': String(first.headers.etag),
    });
    assert.deepEqual([second.statusCode, second.body], [304, '']);
    const head = await app.inject({ method: 'HEAD', url: '/docs/guides/limits' });
    assert.deepEqual([head.statusCode, head.body], [200, '']);
  });
});

describe('the search', () => {
  test('finds the part of a guide by its text, by the beginning of a word and with a slip', async () => {
    for (const query of ['idempotency', 'idempo', 'idempotancy', 'IDEMPOTENCY of']) {
      const body = await find(query);
      assert.match(body, /One match for/, query);
      assert.match(body, /<a href="\/docs\/guides\/webhooks#verify--trust-1">/, query);
      assert.match(body, /<mark>idempotency<\/mark>/, query);
    }
  });

  test('finds an operation of the reference by its summary, its path and its id', async () => {
    for (const query of ['create', '/api/v1/x', 'insertlead', 'POST']) {
      assert.match(
        await find(query),
        /href="\/docs\/reference#\/A%20b\/insertLead">Create</,
        query,
      );
    }
  });

  test('shows what was written as text, in the page and in its field', async () => {
    const body = await find('"><script>alert(1)</script>');
    assert.doesNotMatch(body, /<script/);
    assert.match(body, /value="&quot;&gt;&lt;script&gt;/);
    assert.match(body, /&lt;<mark>script<\/mark>&gt;/);
  });

  test('takes anything, and looks at little of it', async () => {
    const odd = [
      '',
      '   ',
      '.*',
      '((((',
      '%00',
      'x'.repeat(10_000),
      'lim '.repeat(2_000),
      '\ud800',
      '𝔘',
    ];
    for (const query of odd) {
      const url = `/docs/search?q=${encodeURIComponent(query.toWellFormed())}`;
      assert.equal((await get(url)).statusCode, 200, query.slice(0, 20));
    }
    for (const query of ['', '?q', '?q=a&q=b', '?other=1', '?q[x]=1']) {
      assert.equal((await get(`/docs/search${query}`)).statusCode, 200, query);
    }
    assert.match(await find('none of these words but signature'), /verify--trust/);
  });
});

test('the list of guides has all of them with their summaries, and no page allows a script', async () => {
  const answer = await get('/docs');
  assert.match(answer.body, /Told of <code>every<\/code> change\./);
  assert.match(answer.body, /href="\/docs\/guides\/limits"/);
  for (const url of ['/docs', '/docs/', '/docs/guides/limits', '/docs/search?q=a']) {
    const { headers, body } = await get(url);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri/);
    assert.doesNotMatch(body, /<script|<style|\sstyle=/);
    for (const [, address] of body.matchAll(
      /<link rel="(?:icon|stylesheet)"[^>]* href="([^"]+)"/g,
    )) {
      const asset = await get(address as string);
      assert.equal(asset.statusCode, 200);
      assert.match(String(asset.headers['cache-control']), /immutable/);
    }
  }
});

test('/llms.txt has the form that programs know: title, summary, links with notes', async () => {
  const { body, headers } = await get('/llms.txt');
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  assert.match(body, /^# Leadwire\n\n> .+\n/);
  assert.match(
    body,
    /\n## Guides\n\n- \[Webhooks\]\(https:\/\/leads\.example\.com\/docs\/guides\/webhooks\.md\): Told of/,
  );
  assert.match(body, /\(https:\/\/leads\.example\.com\/openapi\.json\)/);
});

test('a guide that cannot be read at the moment is not left out', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'leadwire-documents-'));
  await mkdir(join(elsewhere, 'limits.md'));
  await assert.rejects(readGuides(pathToFileURL(`${elsewhere}/`)), { code: 'EISDIR' });
  await rm(elsewhere, { recursive: true });
});
