import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';

/** What a person does on the pages, by what they read there. */

export async function signUp(
  page: Page,
  { link, name, email, password }: Record<'link' | 'name' | 'email' | 'password', string>,
): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: /^Join/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}

/** Goes to a page by the navigation. */
export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Makes a key with both scopes. @returns what the dialog shows once; it stays open */
export async function createKey(page: Page, name: string) {
  await goTo(page, 'API keys');
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  for (const scope of ['leads:read', 'leads:write']) {
    const box = dialog.getByRole('checkbox', { name: scope });
    if (!(await box.isChecked())) await box.check();
  }
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const lines = (label: string) =>
    dialog.getByRole('figure', { name: label }).locator('pre').innerText();
  const bearer = await lines('curl with the secret key');
  await dialog.getByRole('tab', { name: /HMAC/ }).click();
  const hmac = await lines('curl with a signature');
  return { bearer, hmac };
}

/** Says that the secret is kept: its dialog goes. */
export async function keepSecret(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'I have kept the secret' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

/** Runs a line as a person does who pastes it into a shell. @returns what it printed */
export async function paste(line: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', line]);
  return stdout + stderr;
}

export async function addWebhook(page: Page, url: string): Promise<void> {
  await goTo(page, 'Webhooks');
  await page.getByRole('button', { name: 'Add webhook' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill(url);
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await dialog.getByText(/^whsec_/).waitFor();
  await keepSecret(page);
}
