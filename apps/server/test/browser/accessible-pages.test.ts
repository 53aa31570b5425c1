import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { createTestDatabase, eventually, seed, startServer } from '../support/index.ts';
import { browserScene } from './browser.ts';
import { assertNothingRan, settled } from './checks.ts';
import { DESKTOP, inspect } from './inspect.ts';
import { type Busy, makeBusy, SCRIPT, signedIn } from './world.ts';

// The pages that most people see; all of them, empty and failed too, are looked at in all-pages.long.test.ts.
const database = await createTestDatabase();
const server = await startServer({ database });
after(() => server.stop());
const { ours, people } = seed();
const busy: { ids?: Busy } = {};

const { it, isSkipped } = browserScene(() => server.url);

before(async () => {
  if (isSkipped) return;
  const { cookie } = people.owner;
  busy.ids = await makeBusy({ server, key: ours.full, cookie, leads: 1_000 });
});
after(() => busy.ids?.receiver.close());

const PAGES: [name: string, path: (ids: Busy) => string][] = [
  ['overview', () => 'overview'],
  ['leads', () => 'leads'],
  ['form', ({ form }) => `forms/${form}`],
  ['key', ({ key }) => `keys/${key}`],
];

describe('a page is accessible in light and dark, fits a phone, and shows stored scripts as text', {
  concurrency: 2,
}, () => {
  for (const [name, path] of PAGES) {
    it(name, async (visit) => {
      const { page } = await visit({ ...signedIn(people.owner.cookie), viewport: DESKTOP });
      await page.goto(`/a/${ours.id}/${path(busy.ids as Busy)}`);
      await inspect(page, name);
    });
  }

  it('sign-in, of nobody', async (visit) => {
    const { page } = await visit({ viewport: DESKTOP });
    await page.goto('/sign-in');
    await inspect(page, 'sign-in');
  });
});

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
