import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import {
  createTestDatabase,
  eventually,
  type Json,
  SEEDED_PASSWORD,
  seed,
  startReceiver,
  startServer,
} from '../support/index.ts';
import { newLead } from '../support/new-lead.ts';
import { addWebhook, copyProgram, createKey, keepSecret, paste, runProgram } from './acts.ts';
import { browserScene } from './browser.ts';
import { signedIn } from './world.ts';

const database = await createTestDatabase();
const server = await startServer({ database });
after(() => server.stop());
const { ours, theirs, people } = seed();

const { it } = browserScene(() => server.url);

/** A lead that came by the API. */
async function post(key = ours.full, fields: Json = {}): Promise<Json> {
  const body = newLead(fields);
  const answer = await server.call('POST', '/api/v1/insertion/leads', { key, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.json.lead;
}

const account = (page: Page, path: string, id = ours.id) => page.goto(`/a/${id}/${path}`);

it('a key is made in the page, works as the curl lines of its dialog say, and is refused once revoked', async (visit) => {
  const { page } = await visit(signedIn(people.admin.cookie));
  await account(page, 'overview');
  const { bearer, hmac } = await createKey(page, 'Partner A');
  const secret = /lwsk_\w+/.exec(bearer)?.[0] as string;
  await keepSecret(page);
  assert.match(await paste(bearer), / 201 /);
  assert.match(await paste(hmac), / 20[01] /);
  assert.ok(!(await page.content()).includes(secret), 'the secret is gone with its dialog');
  assert.ok(!(await storedText(page)).includes(secret), 'and kept nowhere');

  await page.getByRole('button', { name: 'Revoke' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('Revoked', { exact: true }).first().waitFor();
  await eventually(async () => assert.match(await paste(bearer), / 401 /));
});

const EXAMPLES = new URL('../../../../examples/', import.meta.url);

it('the program of a key runs as it is copied, in the language that was chosen once for all of them', async (visit) => {
  const { page } = await visit(signedIn(people.admin.cookie));
  await account(page, 'overview');
  await createKey(page, 'Partner B');
  await page.getByRole('tab', { name: 'A program' }).click();
  const choice = page.getByRole('combobox', { name: 'Language' });
  const program = page.getByRole('figure', { name: /^Save as / });
  for (const [language, path] of [
    ['Node', 'node/send-lead.mjs'],
    ['PHP', 'php/send-lead.php'],
    ['Ruby', 'ruby/send-lead.rb'],
    ['Go', 'go/send-lead/main.go'],
    ['TypeScript with the SDK', 'sdk/send-lead.mts'],
    ['Python', 'python/send_lead.py'],
    ['Shell (curl and openssl)', 'shell/send-lead.sh'],
  ] as const) {
    await choice.selectOption({ label: language });
    const code = await readFile(new URL(path, EXAMPLES), 'utf8');
    await eventually(async () => assert.equal(await program.locator('pre').textContent(), code));
  }
  assert.match(await runProgram(await copyProgram(page)), /^201 .*"status":"inserted"/);
  await choice.selectOption({ label: 'Python' });
  await keepSecret(page);

  await account(page, 'keys');
  await page.getByRole('link', { name: 'Partner B' }).click();
  await page.getByRole('figure', { name: 'Save as send_lead.py' }).waitFor();
  assert.match(await page.innerText('main'), /LEADWIRE_SECRET_KEY='lwsk_…'/);
  await addWebhook(page, 'https://example.com/hook');
  await page.getByRole('figure', { name: 'Save as verify_webhook.py' }).waitFor();
});

/** What the page has put into the browser's storages. */
const storedText = (page: Page): Promise<string> =>
  page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])');

const receiver = await startReceiver({ respond: { status: 500, body: 'no room today' } });
after(() => receiver.close());

it('a failed delivery is seen with the answer, sent again and delivered; a replay of it is started', async (visit) => {
  const { page } = await visit(signedIn(people.owner.cookie));
  await account(page, 'overview');
  await addWebhook(page, receiver.url);
  const lead = await post();
  await receiver.waitFor(1);
  await page.reload();
  await page.getByRole('link', { name: 'lead.created' }).first().click();
  await page.getByText('no room today').waitFor();
  assert.ok((await page.innerText('main')).includes(lead.external_lead_id));

  receiver.respond(204);
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.getByText('Delivered', { exact: true }).first().waitFor();
  const [first, second] = await receiver.waitFor(2);
  assert.equal(second?.id, first?.id);

  await page.getByRole('link', { name: 'Deliveries of the webhook' }).click();
  await page.getByRole('button', { name: 'Replay events' }).click();
  const dialog = page.getByRole('dialog');
  // A datetime-local holds whole seconds: the lead of just now is in the next one.
  await eventually(async () => {
    await dialog.getByRole('button', { name: 'Last hour' }).click();
    const to = await dialog.getByLabel('To').inputValue();
    assert.ok(Date.parse(`${to}Z`) > Date.parse(lead.created_at), 'the second has not passed');
  });
  await dialog.getByRole('button', { name: 'Start replay' }).click();
  await page.getByText('Running', { exact: true }).waitFor();
});

it('of two members who edit one lead at once the later one is shown what changed, and can go on from there', async (visit) => {
  const lead = await post(ours.full, { first_name: 'Ada' });
  const [one, other] = await Promise.all(
    [people.member, people.admin].map(async ({ cookie }) => {
      const visitor = await visit(signedIn(cookie));
      await account(visitor.page, `leads/${lead.id}`);
      await visitor.page.getByRole('button', { name: /^Edit/ }).first().click();
      return visitor;
    }),
  );
  if (!one || !other) throw new Error('two were asked for');
  await one.page.getByLabel('First name').fill('Augusta');
  await one.page.getByRole('button', { name: /^Save/ }).click();
  await one.page.getByText('Augusta').first().waitFor();

  other.expectStatus(409);
  await other.page.getByLabel('Last name').fill('King');
  await other.page.getByRole('button', { name: /^Save/ }).click();
  await other.page.getByText('Somebody else changed this lead meanwhile').waitFor();
  await other.page.getByRole('dialog').getByText('Augusta').first().waitFor();
  await other.page.getByRole('button', { name: 'Continue with both' }).click();
  await other.page.getByRole('button', { name: /^Save/ }).click();
  await other.page.getByRole('heading', { level: 1, name: 'Augusta King' }).waitFor();
});

it('whoever is signed out while writing signs in over the page and loses nothing; sent twice at once it is one', async (visit) => {
  const { page } = await visit(signedIn(people.admin.cookie));
  await account(page, 'campaigns');
  await page.getByRole('button', { name: 'Create campaign' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Written before');
  const ground = await page.evaluate(GROUND_OF_DIALOG);
  assert.equal(ground, 'rgba(0, 0, 0, 0)', 'the page is seen behind its dialog');

  await page.context().clearCookies();
  await page.keyboard.press('Enter');
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  assert.equal(await again.getByLabel('Email address').inputValue(), people.admin.email);
  await page.keyboard.press('Escape');
  await again.getByLabel('Password', { exact: true }).fill(SEEDED_PASSWORD);
  await page.keyboard.press('Enter');
  await again.waitFor({ state: 'hidden' });

  assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Written before');
  await page.evaluate(SUBMIT_TWICE);
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByText('Written before').first().waitFor();
  assert.equal(await page.getByText('Written before').count(), 1);
});

const GROUND_OF_DIALOG =
  "getComputedStyle(document.querySelector('.mantine-Modal-inner')).backgroundColor";

const SUBMIT_TWICE = `(() => {
  const form = document.querySelector('[role=dialog] form');
  form.requestSubmit();
  form.requestSubmit();
})()`;

it('two browsers as two accounts see nothing of each other', async (visit) => {
  const [mine, foreign] = [await post(), await post(theirs.full)];
  const us = await visit(signedIn(people.viewer.cookie));
  const them = await visit(signedIn(people.stranger.cookie));
  await account(us.page, 'leads');
  await account(them.page, 'leads', theirs.id);
  await us.page.getByText(mine.external_lead_id).first().waitFor();
  await them.page.getByText(foreign.external_lead_id).first().waitFor();
  assert.equal(await us.page.getByText(foreign.external_lead_id).count(), 0);
  assert.equal(await them.page.getByText(mine.external_lead_id).count(), 0);

  them.expectStatus(404);
  for (const path of ['overview', `leads/${mine.id}`, 'webhooks', 'keys', 'members']) {
    await account(them.page, path);
    await them.page.getByRole('heading', { name: 'Account not found' }).waitFor();
  }
  await account(them.page, `leads/${mine.id}`, theirs.id);
  await them.page
    .getByText(/not found|no such|does not exist|there is no/i)
    .first()
    .waitFor();
  assert.equal(await them.page.getByText(mine.external_lead_id).count(), 0);
});

it('what a role may not do is not offered', async (visit) => {
  const { page } = await visit(signedIn(people.viewer.cookie));
  for (const [path, offers] of [
    ['keys', 'Create key'],
    ['forms', 'Create form'],
    ['webhooks', 'Add webhook'],
    ['campaigns', 'Create campaign'],
    ['members', 'Invite'],
  ] as const) {
    await account(page, path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await eventually(async () => assert.equal(await page.locator('[aria-busy=true]').count(), 0));
    assert.equal(await page.getByRole('button', { name: offers }).count(), 0, path);
  }
});

it('by keyboard alone: sign in, make a key, and come to the page by the skip link', async (visit) => {
  const { page } = await visit();
  await page.goto('/sign-in');
  await page.getByLabel('Email address').waitFor();
  await tabTo(page, 'Email address');
  await page.keyboard.type(people.owner.email);
  await tabTo(page, 'Password');
  await page.keyboard.type(SEEDED_PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.keyboard.press('Tab');
  assert.match(await focused(page), /^Skip/);
  await tabTo(page, 'API keys');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  await eventually(async () => assert.equal(await focused(page), 'API keys', 'the new heading'));
  await tabTo(page, 'Create key');
  await page.keyboard.press('Enter');
  await eventually(async () => assert.equal(await focused(page), 'Name'));
  await page.keyboard.type('By keyboard');
  for (const scope of ['leads:read', 'leads:write']) {
    await tabTo(page, scope);
    if (!(await page.getByRole('checkbox', { name: scope }).isChecked()))
      await page.keyboard.press('Space');
  }
  await page.keyboard.press('Enter');
  await page.getByText(/^lwsk_/).waitFor();
  await tabTo(page, 'I have kept the secret');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'By keyboard' }).waitFor();
});

it('a replay that was left is found again by somebody else, and has sent what it was for', async (visit) => {
  const { page } = await visit(signedIn(people.viewer.cookie));
  await account(page, 'webhooks');
  await page.getByRole('link', { name: new URL(receiver.url).host }).click();
  const [first] = receiver.requests;
  const times = () => receiver.requests.filter(({ id }) => id === first?.id).length;
  await eventually(() => assert.equal(times(), 3), { deadlineMs: 30_000 });
  await page.getByText(/\b[1-9]\d* delivered/).waitFor();
});

const FOCUSED = `(() => {
  const element = document.activeElement;
  const label = element.labels?.[0] ?? element;
  return (element.getAttribute('aria-label') ?? label.innerText).replace('*', '').trim();
})()`;

/** The name of what has the focus. */
const focused = (page: Page): Promise<string> => page.evaluate(FOCUSED);

/** Presses Tab until something has the focus; what cannot be reached so fails. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed = [];
  for (let n = 0; n < 60; n++) {
    const now = await focused(page);
    if (now === name) return;
    passed.push(now.slice(0, 30));
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} cannot be reached by Tab; passed: ${passed.join(', ')}`);
}
