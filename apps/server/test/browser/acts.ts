import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';

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

/** Copies the program that is shown and the lines that run it, as a person does who cannot select that much. */
export async function copyProgram(
  page: Page,
): Promise<{ file: string; code: string; run: string }> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copy = async (figure: Locator): Promise<string> => {
    await figure.getByRole('button').click();
    await figure.getByRole('button', { name: 'Copied' }).waitFor();
    return page.evaluate<string>('navigator.clipboard.readText()');
  };
  const program = page.getByRole('figure', { name: /^Save as / });
  const label = (await program.getAttribute('aria-label')) ?? '';
  const code = await copy(program);
  const run = await copy(page.getByRole('figure', { name: 'Then run it in a shell' }));
  return { file: label.replace('Save as ', ''), code, run };
}

/** Saves a program in an empty folder and pastes there what runs it. @returns what it printed */
export async function runProgram({
  file,
  code,
  run,
}: {
  file: string;
  code: string;
  run: string;
}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'leadwire-program-'));
  try {
    await writeFile(join(folder, file), code);
    return await paste(`cd '${folder}'\n${run}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}
