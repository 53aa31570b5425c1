import { existsSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import type { Leadwire } from '../leadwire.ts';

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

type Click = { what: string; atMostMs: number; times: number[] };

/** What a person waits for on the dashboard, in a browser; nothing where there is none. @param cookie of a session */
export async function measureClicks(
  { service, key }: Leadwire,
  cookie: string,
  tries: number,
): Promise<Click[]> {
  if (!existsSync(CHROMIUM)) return [];
  const url = `http://127.0.0.1:${service.port}`;
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext();
    await context.addCookies(
      cookie.split('; ').map((pair) => {
        const at = pair.indexOf('=');
        return { name: pair.slice(0, at), value: pair.slice(at + 1), url };
      }),
    );
    const page = await context.newPage();
    const clicks: Click[] = [
      { what: 'Leads, from the click to the first rows', atMostMs: 300, times: [] },
      { what: 'Overview, from the click to its figures', atMostMs: 500, times: [] },
    ];
    await page.goto(`${url}/a/${key.account_id}/overview`);
    await page.getByText('in the last 24 hours').first().waitFor();
    for (let n = 0; n < tries; n += 1) {
      clicks[0]?.times.push(await timeOf(page, 'Leads', 'table a[href*="/leads/"]'));
      clicks[1]?.times.push(await timeOf(page, 'Overview', 'figure'));
    }
    return clicks;
  } finally {
    await browser.close();
  }
}

/** Timed by the page itself, from the event of the click to the frame after `selector` is there. */
async function timeOf(page: Page, link: string, selector: string): Promise<number> {
  const clicked = page.evaluate(
    `new Promise((resolve) => addEventListener('click', () => {
      const start = performance.now();
      const look = () => document.querySelector(${JSON.stringify(selector)})
        ? requestAnimationFrame(() => resolve(performance.now() - start)) : requestAnimationFrame(look);
      requestAnimationFrame(look);
    }, { once: true, capture: true }))`,
  );
  await page.getByRole('link', { name: link, exact: true }).first().click();
  return (await clicked) as number;
}
