import type { Page } from 'playwright-core';
import {
  assertAccessible,
  assertFits,
  assertNothingRan,
  picture,
  RULES_OF_COLOURS,
  RULES_OF_PLACES,
  settled,
} from './checks.ts';

export const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 375, height: 740 };

/** Looks at a page in both schemes and on a phone; the second scheme and the phone change colours and places alone. */
export async function inspect(page: Page, name: string): Promise<void> {
  await settled(page);
  await assertNothingRan(page);
  await picture(page, name);
  await assertAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, `${name}-dark`);
  await assertAccessible(page, RULES_OF_COLOURS);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(PHONE);
  await assertFits(page);
  await picture(page, `${name}-phone`);
  await assertAccessible(page, RULES_OF_PLACES);
  await page.setViewportSize(DESKTOP);
}
