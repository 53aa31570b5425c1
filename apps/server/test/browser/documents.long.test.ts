import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { createTestDatabase, startServer } from '../support/index.ts';
import { browserScene } from './browser.ts';
import { assertAccessible, assertFits, picture, RULES_OF_COLOURS } from './checks.ts';

const server = await startServer({ database: await createTestDatabase() });
after(() => server.stop());
const { it } = browserScene(() => server.url);

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 375, height: 740 };

const PAGES: [name: string, path: string][] = [
  ['documents', '/docs'],
  ['documents-quick-start', '/docs/guides/quick-start'],
  ['documents-webhooks', '/docs/guides/webhooks'],
  ['documents-limits', '/docs/guides/limits'],
  ['documents-found', '/docs/search?q=signature'],
  ['documents-nothing-found', '/docs/search?q=zebra+crossing'],
];

async function inPhone(page: Page, name: string): Promise<void> {
  await page.setViewportSize(PHONE);
  await assertFits(page);
  await picture(page, `${name}-phone`);
  await assertAccessible(page);
}

describe('every document is accessible in light and dark, fits a phone, and needs no script', () => {
  for (const [name, path] of PAGES) {
    it(name, async (visit) => {
      const { page } = await visit({ viewport: DESKTOP });
      await page.goto(path);
      await picture(page, name);
      await assertAccessible(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await picture(page, `${name}-dark`);
      await assertAccessible(page, RULES_OF_COLOURS);
      await inPhone(page, `${name}-dark`);
      await page.emulateMedia({ colorScheme: 'light' });
      await inPhone(page, name);
    });
  }

  it('a reader without JavaScript searches, and follows what was found to its heading', async (visit) => {
    const { page } = await visit({ viewport: DESKTOP, javaScriptEnabled: false });
    await page.goto('/docs');
    await page.getByRole('searchbox').fill('idempotency');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/search\?q=idempotency$/);
    await page.getByRole('main').getByRole('link').first().click();
    await page.waitForURL(/\/docs\/guides\/[\w-]+/);
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  it('the reference draws every operation, and leads back to the guides', async (visit) => {
    const { page } = await visit({ viewport: DESKTOP });
    await page.goto('/docs/reference');
    await page.locator('#operations-Insertion-insertLead').waitFor();
    await picture(page, 'documents-reference');
    const guides = page.getByRole('link', { name: '/docs', exact: true });
    assert.equal(await guides.getAttribute('href'), '/docs');
  });
});
