import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { createTestDatabase, eventually, seed, startServer } from '../support/index.ts';
import { browserScene } from './browser.ts';
import {
  assertAccessible,
  assertFits,
  assertNothingRan,
  picture,
  RULES_OF_COLOURS,
  RULES_OF_PLACES,
  settled,
} from './checks.ts';
import { type Busy, makeBusy, SCRIPT, signedIn } from './world.ts';

const database = await createTestDatabase();
const server = await startServer({ database });
after(() => server.stop());
const { ours, theirs, people } = seed();
const busy: { ids?: Busy } = {};

const { it, isSkipped } = browserScene(() => server.url);

before(async () => {
  if (isSkipped) return;
  busy.ids = await makeBusy({ server, key: ours.full, cookie: people.owner.cookie });
});
after(() => busy.ids?.receiver.close());

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 375, height: 740 };

// While one waits for its answers, the other is looked at.
const TWO = { concurrency: 2 };

/** Looks at a page in both schemes and on a phone; the second scheme and the phone change colours and places alone. */
async function inspect(page: Page, name: string): Promise<void> {
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

const OF_ACCOUNT: [name: string, path: (ids: Busy) => string][] = [
  ['overview', () => 'overview'],
  ['leads', () => 'leads'],
  ['lead', ({ lead }) => `leads/${lead}`],
  ['campaigns', () => 'campaigns'],
  ['forms', () => 'forms'],
  ['form', ({ form }) => `forms/${form}`],
  ['keys', () => 'keys'],
  ['key', ({ key }) => `keys/${key}`],
  ['webhooks', () => 'webhooks'],
  ['webhook', ({ webhook }) => `webhooks/${webhook}`],
  ['delivery', ({ webhook, delivery }) => `webhooks/${webhook}/deliveries/${delivery}`],
  ['imports', () => 'imports'],
  ['import-checked', ({ imports }) => `imports/${imports.checked}`],
  ['import-done', ({ imports }) => `imports/${imports.done}`],
  ['members', () => 'members'],
  ['settings', () => 'settings'],
  ['reference', () => 'reference'],
  ['signature-check', () => 'signature-check'],
];

describe(
  'every page is accessible in light and dark, fits a phone, and shows stored scripts as text',
  TWO,
  () => {
    for (const [name, path] of OF_ACCOUNT) {
      it(name, async (visit) => {
        const { page } = await visit({ ...signedIn(people.owner.cookie), viewport: DESKTOP });
        await page.goto(`/a/${ours.id}/${path(busy.ids as Busy)}`);
        await inspect(page, name);
      });
    }

    it('profile', async (visit) => {
      const { page } = await visit({ ...signedIn(people.owner.cookie), viewport: DESKTOP });
      await page.goto('/profile');
      await inspect(page, 'profile');
    });

    for (const [name, path] of [
      ['sign-in', '/sign-in'],
      ['join-bad-link', '/join#no-such-token'],
      ['reset', '/reset'],
    ] as const) {
      it(`${name}, of nobody`, async (visit) => {
        const { page, expectStatus } = await visit({ viewport: DESKTOP });
        expectStatus(404, 410);
        await page.goto(path);
        await inspect(page, name);
      });
    }
  },
);

it('a script stored in every field of a lead and in an answer stands in its page and timeline as it was written', async (visit) => {
  const { page } = await visit(signedIn(people.owner.cookie));
  const { lead } = busy.ids as Busy;
  await page.goto(`/a/${ours.id}/leads/${lead}`);
  await settled(page);
  await assertNothingRan(page);
  const timeline = page.locator('section', {
    has: page.getByRole('heading', { name: 'Timeline' }),
  });
  for (const [part, least] of [
    [page.locator('main'), 10],
    [timeline, 5],
  ] as const) {
    await eventually(async () => {
      const shown = (await part.innerText()).replace(/\s/g, '').split(SCRIPT.replace(/\s/g, ''));
      assert.ok(shown.length > least, `${shown.length - 1} of ${least}`);
    });
  }
});

describe('a page that has nothing to show says what to do next', TWO, () => {
  for (const name of ['overview', 'leads', 'forms', 'imports', 'webhooks']) {
    it(name, async (visit) => {
      const { page } = await visit({ ...signedIn(people.stranger.cookie), viewport: DESKTOP });
      await page.goto(`/a/${theirs.id}/${name}`);
      await inspect(page, `${name}-empty`);
    });
  }
});

describe('a page that cannot be read says so, and what to do', { concurrency: true }, () => {
  const unavailable = {
    status: 503,
    headers: { 'retry-after': '5' },
    json: { ok: false, error: 'unavailable', message: 'Try again later.', request_id: 'r-1' },
  };
  for (const name of ['overview', 'leads', 'webhooks']) {
    it(name, async (visit) => {
      const { page, expectStatus } = await visit({
        ...signedIn(people.owner.cookie),
        viewport: DESKTOP,
      });
      expectStatus(503);
      const api = `/dashboard/api/accounts/${ours.id}/${name}`;
      await page.route(
        (url) => url.pathname === api,
        (route) => route.fulfill(unavailable),
      );
      await page.goto(`/a/${ours.id}/${name}`);
      await page
        .getByRole('button', { name: /again|retry/i })
        .first()
        .waitFor();
      await inspect(page, `${name}-error`);
    });
  }

  it('an address that is no page', async (visit) => {
    const { page } = await visit({ ...signedIn(people.owner.cookie), viewport: DESKTOP });
    await page.goto(`/a/${ours.id}/no-such-page`);
    await settled(page);
    await inspect(page, 'not-found');
    assert.match(await page.title(), /not found/i);
  });
});
