import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { findChromium, skipWithoutChromium } from './chromium.ts';

export type Visitor = {
  page: Page;
  context: BrowserContext;
  /** Statuses that this test brings about on purpose; the browser writes each to its console as an error. */
  expectStatus(...statuses: number[]): void;
};

export type VisitorOptions = BrowserContextOptions & {
  /** Cookies to come with, e.g. those of a session. */
  cookies?: { name: string; value: string }[];
  /** Origins that its pages may ask beside the server. */
  alsoAsks?: string[];
};

export type BrowserScene = {
  /** There is no Chromium. */
  isSkipped: boolean;
  /** A test. What went wrong in any page that it opened fails it, seen or not. */
  it(name: string, run: (visit: Visit) => Promise<void>): void;
};

/** A browser context of its own: another person, or the same on another machine. */
export type Visit = (options?: VisitorOptions) => Promise<Visitor>;

const ACTION_TIMEOUT_MS = 10_000;

// A first visit asks who it is: its 401 is an answer, no mistake.
const ALWAYS_EXPECTED = [401];

/**
 * Tests in one headless Chromium for a file. A page may not throw, write errors to its console, open a dialog, or ask any
 * host but the server's; a failed test leaves screenshots in a folder that its message names. Skipped where there is no Chromium.
 * @param url of the server, asked when a test opens its first page
 */
export function browserScene(url: () => string): BrowserScene {
  const skip = skipWithoutChromium();
  let browser: Promise<Browser> | undefined;
  after(async () => (await browser)?.close());
  return {
    isSkipped: skip !== false,
    it(name, run) {
      it(name, { skip }, async () => {
        browser ??= launch();
        const opened: Opened[] = [];
        const visit: Visit = async (options) => {
          const one = await open(await (browser as Promise<Browser>), url(), options);
          opened.push(one);
          return one.visitor;
        };
        try {
          await run(visit);
          for (const { problems } of opened) assert.deepEqual(problems, []);
        } catch (error) {
          throw await withPictures(error as Error, opened);
        } finally {
          await Promise.all(opened.map(({ visitor }) => visitor.context.close()));
        }
      });
    },
  };
}

/** @throws where there is no Chromium */
export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium() as string,
    // In a container, where Chromium may make no sandbox, and where /dev/shm is small.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });

type Opened = { visitor: Visitor; problems: string[] };

/** A page in a context of its own; `problems` grows with whatever goes wrong in it. */
export async function open(
  browser: Browser,
  url: string,
  { cookies = [], alsoAsks = [], ...options }: VisitorOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  if (cookies.length > 0) await context.addCookies(cookies.map((one) => ({ ...one, url })));
  const problems: string[] = [];
  const expected = new Set<number>(ALWAYS_EXPECTED);
  watch(context, [new URL(url).origin, ...alsoAsks], { problems, expected });
  const page = await context.newPage();
  const expectStatus = (...statuses: number[]) => {
    for (const status of statuses) expected.add(status);
  };
  return { visitor: { page, context, expectStatus }, problems };
}

function watch(
  context: BrowserContext,
  origins: readonly string[],
  { problems, expected }: { problems: string[]; expected: Set<number> },
): void {
  context.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol.startsWith('http') && !origins.includes(asked))
      problems.push(`request to another host: ${request.url()}`);
  });
  context.on('weberror', (error) => problems.push(`page error: ${error.error().stack}`));
  context.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss().catch(() => undefined);
  });
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const status = /the server responded with a status of (\d+)/.exec(message.text())?.[1];
    if (status && expected.has(Number(status))) return;
    problems.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  });
}

async function withPictures(error: Error, opened: Opened[]): Promise<Error> {
  const folder = await mkdtemp(join(tmpdir(), 'leadwire-browser-'));
  const notes = await Promise.all(
    opened.map(async ({ visitor: { page }, problems }, n) => {
      const path = join(folder, `${n + 1}.png`);
      await page.screenshot({ path, fullPage: true, timeout: 5_000 }).catch(() => undefined);
      const html = await page.content().catch(() => '');
      await writeFile(join(folder, `${n + 1}.html`), html);
      return [`page ${n + 1} at ${page.url()}`, ...problems].join('\n    ');
    }),
  );
  const place = `\nSee ${folder}\n  ${notes.join('\n  ')}`;
  // The reporter shows the stack, which holds the message as it was at first.
  error.stack = (error.stack ?? '').replace(error.message, () => error.message + place);
  error.message += place;
  return error;
}
