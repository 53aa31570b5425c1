import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { eventually } from '../support/index.ts';

const PICTURES = fileURLToPath(new URL('./screenshots/', import.meta.url));

/** WCAG 2.2 on the levels A and AA, and what axe calls good practice: one h1, headings in order, landmarks. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const BUSY = '[aria-busy="true"], .mantine-Loader-root, .mantine-Skeleton-root';

/** Waits until a page shows its heading and nothing on it is still being read. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await eventually(async () => assert.equal(await page.locator(BUSY).count(), 0, 'still busy'));
}

/** What can become wrong where only colours, or only places and sizes, have changed. */
export const RULES_OF_COLOURS = ['color-contrast'];
export const RULES_OF_PLACES = [
  ...['target-size', 'scrollable-region-focusable', 'page-has-heading-one', 'heading-order'],
  ...['button-name', 'link-name', 'landmark-one-main', 'landmark-unique', 'aria-hidden-focus'],
];

/** Fails with every violation that axe finds, and where. @param only some rules; default: all */
export async function assertAccessible(page: Page, only?: string[]): Promise<void> {
  const runOnly = only ? { type: 'rule', values: only } : { type: 'tag', values: RULES };
  // The page's Content-Security-Policy is for the page: what the browser is told from outside runs.
  await page.evaluate(`if (!window.axe) { ${axe.source} }`);
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target} ${failureSummary}`),
  );
  assert.deepEqual(found, [], page.url());
}

const WIDER = `(() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const isWider = (element) => element.getBoundingClientRect().right > width + 1;
  const outermost = [...document.querySelectorAll('body *')].filter(
    (element) => isWider(element) && !isWider(element.parentElement),
  );
  return outermost.map((element) => element.outerHTML.slice(0, 200));
})()`;

/** Fails where the page as a whole scrolls sideways, also once what measures itself has done so; names what is too wide. */
export async function assertFits(page: Page): Promise<void> {
  await eventually(async () => assert.deepEqual(await page.evaluate(WIDER), [], page.url()), {
    deadlineMs: 2_000,
  });
}

const MADE = '[onerror], img[src="x"], iframe, script:not([src])';

/** Fails where a text of somebody's became an element, also in what is folded. */
export async function assertNothingRan(page: Page): Promise<void> {
  await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`);
  const found = await page.locator(`body ${MADE.replaceAll(', ', ', body ')}`).count();
  assert.equal(found, 0, `elements that nobody wrote at ${page.url()}`);
}

/** Keeps what the page looks like, for a person to look at: `screenshots/<name>.png`. */
export async function picture(page: Page, name: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}${name}.png`, fullPage: true, animations: 'disabled' });
}
