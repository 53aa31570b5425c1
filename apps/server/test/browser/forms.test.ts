import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { eventually, type Json, openDashboard } from '../support/index.ts';
import { browserScene, type Visit } from './browser.ts';
import { assertAccessible, picture, settled } from './checks.ts';
import { signedIn } from './world.ts';

const { server, ours, people, as } = await openDashboard();
const { it } = browserScene(() => server.url);
const admin = as('admin');
const WORDS = 'I agree that Example Roofing may call me <b>about</b> my request.';

/** A page of somebody else's, on another origin, that a form is pasted into. */
let pasted = '';
const shop = createServer(({ url }, answer) => {
  answer.writeHead(url === '/roofs?ad=7' ? 200 : 204, { 'content-type': 'text/html' });
  answer.end(
    url === '/roofs?ad=7'
      ? `<!doctype html><html lang="en"><title>Roofs</title><main><h1>Roofs</h1>${pasted}</main>`
      : '',
  );
});
shop.listen(0, '127.0.0.1');
await once(shop, 'listening');
shop.unref();
const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
after(() => shop.close());

/** Opens the page that the form was pasted into. */
async function visitShop(visit: Visit, options: { javaScriptEnabled?: boolean } = {}) {
  const visitor = await visit({ ...options, alsoAsks: [shopUrl] });
  await visitor.page.goto(`${shopUrl}/roofs?ad=7`);
  return visitor;
}

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
}

async function api(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await admin.call(method, `/accounts/${ours.id}${path}`, { body });
  assert.equal(answer.status < 300, true, `${method} ${path}: ${answer.text}`);
  return answer.json;
}

const pre = (page: Page, label: string): Promise<string> =>
  page.getByRole('figure', { name: label }).locator('pre').innerText();

const makeKey = async (name: string, limit?: Json): Promise<Json> => {
  const body = { name, scopes: ['leads:read', 'leads:write'], rate_limit: limit };
  return api('POST', '/keys', body);
};

it('a marketer makes a form, pastes its HTML into a page, and sees what is sent live with its consent', async (visit) => {
  await makeKey('Website');
  const { page, ...marketer } = await visit(signedIn(people.admin.cookie));
  await page.goto(`/a/${ours.id}/forms`);
  await page.getByRole('button', { name: 'Create form' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create form' }).click();
  await dialog.getByText('Enter a name.').waitFor();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Roof page');
  await dialog.getByLabel('Campaign').selectOption({ label: 'Campaign 2 (2)' });
  await dialog.getByLabel('API key').selectOption('Website');
  await addField(dialog, 'Kind of roof?');
  await dialog.getByLabel('Ask for consent').check();
  await dialog.getByLabel('Words').fill(WORDS);
  await dialog.getByText('Further settings').click();
  await dialog.getByLabel('Least seconds to fill it in').fill('0');
  await assertAccessible(page);
  await picture(page, 'form-create');
  marketer.expectStatus(400);
  const origins = dialog.getByLabel('Allowed origins');
  await origins.fill('shop.example');
  await dialog.getByText('Further settings').click();
  await dialog.getByRole('button', { name: 'Create form' }).click();
  await dialog.getByText('Must be an origin').waitFor();
  const refused = "document.activeElement.getAttribute('data-path')";
  await eventually(async () => assert.equal(await page.evaluate(refused), 'allowed_origins'));
  await origins.fill('');
  await dialog.getByRole('button', { name: 'Create form' }).click();
  await page.getByRole('heading', { level: 1, name: 'Roof page' }).waitFor();
  pasted = `${await pre(page, 'The form; works without JavaScript')}${await pre(page, 'The script, once a page')}`;
  await page.getByRole('link', { name: 'Leads', exact: true }).click();
  await page.getByText('Live', { exact: true }).waitFor();

  const { page: visitor, expectStatus } = await visitShop(visit);
  expectStatus(400);
  await fill(visitor, { 'First name': 'Ada', 'E-mail address': 'ada@example', 'Kind of': 'flat' });
  await visitor.getByRole('checkbox').check();
  const send = visitor.getByRole('button', { name: 'Send' });
  await send.click();
  const wrong = visitor.locator('[aria-invalid=true]');
  await wrong.waitFor();
  assert.equal(await wrong.getAttribute('name'), 'email');
  assert.equal(await visitor.evaluate('document.activeElement.name'), 'email');
  await visitor.getByText(/valid e-?mail address/).waitFor();
  await assertAccessible(visitor);
  await fill(visitor, { 'E-mail address': 'ada@shop.example' });
  await send.dblclick();
  await visitor.getByRole('status').waitFor();

  await page.getByRole('link', { name: 'Ada', exact: true }).click();
  const evidence = page.locator('section', {
    has: page.getByRole('heading', { name: 'Consent evidence' }),
  });
  await evidence.getByText(WORDS).waitFor();
  const shown = await evidence.innerText();
  for (const text of [`${shopUrl}/roofs?ad=7`, '127.0.0.1', 'HeadlessChrome', 'Roof page']) {
    assert.ok(shown.includes(text), `${text} in ${shown}`);
  }
  await page.getByText('by the form Roof page').waitFor();
  await page.getByRole('group', { name: 'Custom fields' }).getByText('flat').waitFor();
  await settled(page);
  await assertAccessible(page);
  await picture(page, 'lead-of-form');
  const { leads } = await api('GET', '/leads');
  assert.equal(leads.length, 1, 'a double click is one lead');
});

async function addField(dialog: Locator, label: string): Promise<void> {
  await dialog.getByRole('button', { name: 'Add a field' }).click();
  const row = dialog.getByRole('group', { name: /^Field 5/ });
  await row.getByLabel('Label').fill(label);
  await row.getByRole('button', { name: `Move ${label} up` }).press('Enter');
  await dialog.getByRole('group', { name: `Field 4: ${label}` }).waitFor();
  const focused = await dialog.page().evaluate("document.activeElement.getAttribute('aria-label')");
  assert.equal(focused, `Move ${label} up`, 'Enter pressed again moves it further');
}

it('without JavaScript the same HTML is sent to a page that says thanks', async (visit) => {
  const { page } = await visitShop(visit, { javaScriptEnabled: false });
  await fill(page, { 'First name': 'Grace', 'E-mail address': 'grace@shop.example' });
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  assert.equal(new URL(page.url()).origin, server.url);
  const { leads } = await api('GET', '/leads');
  assert.deepEqual([leads.length, leads[0].first_name], [2, 'Grace']);
});

it('over the limit of its key a form keeps what was typed, with and without JavaScript, and sending it again works later', async (visit) => {
  const narrow = await makeKey('Narrow', { max: 1, window_seconds: 86_400 });
  const wide = await makeKey('Wide');
  const form = await api('POST', '/forms', {
    ...{ name: 'Limited', campaign_id: 1, key_id: narrow.key.id, min_fill_seconds: 0 },
  });
  const { plain, script } = await api('GET', `/forms/${form.id}/embedding`);
  const secret = { public_key: narrow.key.public_key, secret_key: narrow.secret_key };
  await server.call('GET', '/api/v1/insertion/leads?limit=1', { key: secret });

  pasted = plain;
  const bare = await visitShop(visit, { javaScriptEnabled: false });
  bare.expectStatus(429);
  await fill(bare.page, { 'First name': 'Edsger', 'E-mail address': 'edsger@shop.example' });
  await bare.page.getByRole('button', { name: 'Send' }).click();
  await bare.page.getByRole('heading', { name: 'Not sent yet' }).waitFor();
  assert.equal(await bare.page.getByLabel('First name').inputValue(), 'Edsger');
  await picture(bare.page, 'form-limited');

  pasted = plain + script;
  const { page, expectStatus } = await visitShop(visit);
  expectStatus(429);
  await fill(page, { 'First name': 'Barbara', 'E-mail address': 'barbara@shop.example' });
  await page.getByRole('button', { name: 'Send' }).click();
  await page
    .getByRole('alert')
    .getByText(/send it again in \d+ seconds?/)
    .waitFor();
  assert.equal(await page.getByLabel('First name').inputValue(), 'Barbara');

  await api('PATCH', `/forms/${form.id}`, { key_id: wide.key.id });
  await eventually(async () => {
    await bare.page.getByRole('button', { name: 'Send again' }).click();
    assert.equal(await bare.page.getByRole('heading').first().innerText(), 'Thank you');
  });
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('status').waitFor();
  const { leads } = await api('GET', '/leads');
  assert.deepEqual(
    leads.slice(0, 2).map(({ first_name }: Json) => first_name),
    ['Barbara', 'Edsger'],
  );
});

it('the form’s page says what became of each submission, makes a key for Google Ads once, and warns when its key is revoked', async (visit) => {
  const { page } = await visit(signedIn(people.admin.cookie));
  await page.goto(`/a/${ours.id}/forms`);
  await page.getByRole('link', { name: 'Limited' }).click();
  await page.getByText('Too many at once.').first().waitFor();
  await page.getByRole('link', { name: 'Its lead' }).first().waitFor();

  await page.getByRole('button', { name: 'Make a key' }).click();
  const dialog = page.getByRole('dialog');
  const key = await dialog.locator('code').innerText();
  await picture(page, 'form-google-key');
  await dialog.getByRole('button', { name: 'I have kept the key' }).click();
  await dialog.waitFor({ state: 'hidden' });
  assert.ok(!(await page.content()).includes(key), 'the key is gone with its dialog');
  const url = await page.getByText(/\/google$/).innerText();
  const test = {
    ...{ google_key: key, is_test: true, lead_id: 'T-1', form_id: 4, api_version: '1.0' },
    user_column_data: [{ column_id: 'EMAIL', string_value: 'test@shop.example' }],
  };
  await eventually(async () => {
    const answer = await server.call('POST', new URL(url).pathname, { body: test });
    assert.equal(answer.status, 200, answer.text);
  });
  await page.getByText('The lead that it would have made').click();
  await page.getByText('"email": "test@shop.example"').waitFor();

  await page.getByRole('link', { name: 'Wide', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Wide' }).waitFor();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByText(/A form stops with it: Limited/).waitFor();
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'Limited' }).click();
  await page.getByText('The API key of this form was revoked').waitFor();
  await picture(page, 'form-key-revoked');
  await page.getByRole('button', { name: 'Choose another key' }).click();
  await dialog.getByLabel('API key').selectOption('Website');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The API key of this form was revoked').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Switch off' }).click();
  await dialog.getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('button', { name: 'Switch on' }).waitFor();
});
