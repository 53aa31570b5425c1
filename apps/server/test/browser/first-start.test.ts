import assert from 'node:assert/strict';
import { after } from 'node:test';
import { createTestDatabase, eventually, startReceiver, startServer } from '../support/index.ts';
import { addWebhook, createKey, goTo, keepSecret, paste, signUp } from './acts.ts';
import { browserScene } from './browser.ts';
import { assertAccessible, picture, settled } from './checks.ts';

const database = await createTestDatabase({ from: 'empty' });
const server = await startServer({ database });
after(() => server.stop());

const { it } = browserScene(() => server.url);
const LINK = /^http:\S+\/join#\S+$/m;
const CURL = /^curl .*$/m;
const ADA = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'three warm stones' };

it('from the printed link alone: sign up, make a key, see a lead arrive live, read its delivery', async (visit) => {
  const { page, context } = await visit();
  const link = LINK.exec(server.logs())?.[0] ?? '';
  await page.goto(link);
  await settled(page);
  await picture(page, 'join');
  await assertAccessible(page);

  await signUp(page, { link, ...ADA });
  assert.ok(!page.url().includes('#'), 'the token does not stay in the address');
  await page.getByRole('heading', { name: 'First steps' }).waitFor();
  await picture(page, 'overview-first-steps');
  await assertAccessible(page);

  const overview = await context.newPage();
  await overview.goto(page.url());
  await overview.getByText('Live', { exact: true }).waitFor();

  const { bearer } = await createKey(page, 'Website');
  await picture(page, 'key-created');
  await assertAccessible(page);
  await keepSecret(page);
  assert.match(await paste(bearer), / 201 /);
  await overview.getByText(/^1 new lead/).waitFor();
  assert.match(await paste(CURL.exec(server.logs())?.[0] ?? ''), / 201 /);
  await overview.getByText(/^2 new leads/).waitFor();

  const receiver = await startReceiver();
  await addWebhook(page, receiver.url);
  assert.match(await paste(bearer.replace(/external_lead_id":\s*"/, '$&again-')), / 201 /);
  const [request] = await receiver.waitFor(1);
  const row = page.getByRole('link', { name: 'lead.created' });
  await row.first().click();
  await page.getByRole('heading', { level: 1, name: 'lead.created' }).waitFor();
  await page.getByText('Delivered').first().waitFor();
  assert.ok((await page.innerText('main')).includes(request?.id as string));
  await receiver.close();
});

it('the link is good once: whoever opens it later is told so and gets no further', async (visit) => {
  const { page, expectStatus } = await visit();
  expectStatus(404, 410);
  await page.goto(LINK.exec(server.logs())?.[0] ?? '');
  await settled(page);
  await eventually(async () =>
    assert.match(await page.innerText('main'), /used|no longer|expired|not valid/i),
  );
  assert.equal(await page.getByLabel('Your name').count(), 0);
});

it('whoever is signed out is asked to sign in, and comes back to the page they asked for', async (visit) => {
  const { page } = await visit();
  await page.goto('/profile');
  await page.getByLabel('Email address').fill(ADA.email);
  await page.getByLabel('Password', { exact: true }).fill(ADA.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  await page.goto('/');
  await goTo(page, 'Leads');
  await page.getByText('Ada').first().waitFor();
});
