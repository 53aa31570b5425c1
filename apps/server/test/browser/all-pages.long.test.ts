import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { createTestDatabase, seed, startServer } from '../support/index.ts';
import { browserScene } from './browser.ts';
import { settled } from './checks.ts';
import { DESKTOP, inspect } from './inspect.ts';
import { type Busy, makeBusy, signedIn } from './world.ts';

const database = await createTestDatabase();
const server = await startServer({ database });
after(() => server.stop());
const { ours, theirs, people } = seed();
const busy: { ids?: Busy } = {};

const { it, isSkipped } = browserScene(() => server.url);

before(async () => {
  if (isSkipped) return;
  busy.ids = await makeBusy({ server, key: ours.full, cookie: people.owner.cookie, leads: 10_000 });
});
after(() => busy.ids?.receiver.close());

// While one waits for its answers, the other is looked at.
const TWO = { concurrency: 2 };

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
