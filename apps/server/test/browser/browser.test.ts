import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { eventually } from '../support/index.ts';
import { launch, open } from './browser.ts';
import { assertAccessible, assertFits, assertNothingRan } from './checks.ts';
import { skipWithoutChromium } from './chromium.ts';

const PAGES: Record<string, string> = {
  '/good': '<main><h1>Good</h1><p>All is well.</p></main>',
  '/throws': '<script>throw new Error("thrown in the page")</script>',
  '/rejects': '<script>Promise.reject(new Error("rejected in the page"))</script>',
  '/console': '<script>console.error("said to the console")</script>',
  '/dialog': '<script>alert("a dialog")</script>',
  '/elsewhere': '<img alt="" src="http://127.0.0.2:9/elsewhere.png">',
  '/missing': '<img alt="" src="/no-such-image.png">',
  '/nameless': '<main><h1>Nameless</h1><button></button></main>',
  '/wide': '<main><h1>Wide</h1><div style="width:3000px">x</div></main>',
  '/made': '<main><h1>Made</h1><img src=x onerror=""></main>',
};

const server = createServer(({ url = '' }, answer) => {
  const body = PAGES[url];
  answer.writeHead(body ? 200 : 404, { 'content-type': 'text/html' });
  answer.end(body && `<!doctype html><html lang="en"><title>Page</title><body>${body}`);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
server.unref();
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe('what the tests in a browser would notice', { skip: skipWithoutChromium() }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launch();
  });
  after(() => browser.close());

  const visit = async (path: string) => {
    const opened = await open(browser, url);
    await opened.visitor.page.goto(url + path);
    return { ...opened, page: opened.visitor.page };
  };

  for (const [path, problem] of [
    ['/throws', /page error: .*thrown in the page/],
    ['/rejects', /page error: .*rejected in the page/],
    ['/console', /console error: said to the console/],
    ['/dialog', /dialog: a dialog/],
    ['/elsewhere', /request to another host: http:\/\/127\.0\.0\.2:9\/elsewhere\.png/],
    ['/missing', /console error: .*404/],
  ] as const) {
    it(`a page that ${path.slice(1)}`, async () => {
      const { problems } = await visit(path);
      await eventually(() => assert.match(problems.join('\n'), problem));
    });
  }

  it('a button without a name, a page wider than its screen, an element that somebody’s text became', async () => {
    await assert.rejects(assertAccessible((await visit('/nameless')).page), /button-name/);
    await assert.rejects(assertFits((await visit('/wide')).page), /3000px/);
    await assert.rejects(assertNothingRan((await visit('/made')).page), /nobody wrote/);
  });

  it('and nothing about a page that is well', async () => {
    const { page, problems } = await visit('/good');
    await assertAccessible(page);
    await assertFits(page);
    await assertNothingRan(page);
    assert.deepEqual(
      problems.filter((one) => !one.includes('favicon')),
      [],
    );
  });
});
