import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Locator, Page } from 'playwright-core';
import { createTestDatabase, seed, startServer } from '../support/index.ts';
import { goTo } from './acts.ts';
import { browserScene } from './browser.ts';
import { settled } from './checks.ts';
import { signedIn } from './world.ts';

const database = await createTestDatabase();
const server = await startServer({ database });
after(() => server.stop());
const { ours, people } = seed();

const { it } = browserScene(() => server.url);

const ROWS = 10_000;
const HEADER = ['Kundennummer', 'Vorname', 'Nachname', 'Telefon', 'E-Mail', 'Bemerkung'];

type Row = { line: number; cells: string[]; isBad: boolean };

/** Every two hundredth row is none: by turns of its phone, its address, or a cell that is missing. */
function makeRows(): Row[] {
  let line = 2;
  return Array.from({ length: ROWS }, (_, n) => {
    const bad = n % 200 === 7 ? ['phone', 'email', 'cell'][((n / 200) % 3) | 0] : null;
    const cells = [
      ...[`K-${n}`, 'Jürgen', `Größe ${n}`],
      bad === 'phone' ? '12' : `0151 2${String(n).padStart(7, '0')}`,
      bad === 'email' ? 'nobody' : `k${n}@example.com`,
      n === 100 ? 'ruft "abends" an;\nsonst nie' : n === 101 ? '=1+1' : '',
    ];
    const row = { line, cells: bad === 'cell' ? cells.slice(0, 5) : cells, isBad: bad !== null };
    line += n === 100 ? 2 : 1;
    return row;
  });
}

const quoted = (text: string): string =>
  /[;"\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
const toText = (rows: string[][]): string =>
  rows.map((cells) => `${cells.map(quoted).join(';')}\n`).join('');

async function chooseFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByRole('button', { name: 'Import a file' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('dialog').getByRole('button', { name: 'Choose a file' }).click();
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer });
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Follows a link to a file. @returns its name and rows by their headers */
async function download(page: Page, link: Locator) {
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const text = await readFile(await file.path(), 'utf8');
  // Of a row with a cell too few the result has as many.
  const options = { columns: true, bom: true, relax_column_count: true } as const;
  return { name: file.suggestedFilename(), rows: parse<Record<string, string>>(text, options) };
}

it('ten thousand rows with fifty bad ones are checked, imported, accounted for row by row, and exported again', async (visit) => {
  const rows = makeRows();
  const bad = rows.filter(({ isBad }) => isBad);
  const good = rows.filter(({ isBad }) => !isBad);
  const { page, expectStatus } = await visit(signedIn(people.member.cookie));
  await page.goto(`/a/${ours.id}/imports`);
  const text = toText([HEADER, ...rows.map(({ cells }) => cells)]);
  await chooseFile(page, 'Messe 2025.csv', Buffer.from(text, 'latin1'));

  assert.equal(await page.getByLabel('Separator').inputValue(), ';');
  await page.getByRole('cell', { name: 'Jürgen' }).first().waitFor();
  for (const [column, target] of [
    ['Kundennummer', 'external_lead_id'],
    ['Telefon', 'phone'],
    ['Bemerkung', 'custom'],
  ]) {
    assert.equal(await page.getByLabel(`${column} goes to`).inputValue(), target);
  }

  expectStatus(400);
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByText('Is required: choose a campaign').waitFor();
  await page.getByLabel('Campaign').selectOption('1');
  await page.getByLabel('Source').fill('messe');
  await page.getByLabel('Country of phone numbers').selectOption('DE');
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('heading', { name: 'Bad rows: 50' }).waitFor();
  await settled(page);
  const listed = page.getByRole('table', { name: 'Bad rows' }).getByRole('rowheader');
  assert.deepEqual(
    await listed.allInnerTexts(),
    bad.map(({ line }) => String(line)),
  );

  await page.getByRole('button', { name: 'Import 9,950 rows' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start import' }).click();
  await page.getByRole('heading', { level: 2, name: 'Done' }).waitFor({ timeout: 30_000 });
  await page.getByText('10,000 of 10,000 rows').waitFor();

  const result = await download(page, page.getByRole('link', { name: 'Result file' }));
  assert.equal(result.rows.length, ROWS);
  for (const [n, row] of rows.entries()) {
    const { line, outcome, lead_id, external_lead_id, errors, ...cells } = result.rows[n] ?? {};
    const [id = '', ...others] = row.cells;
    const expected = row.isBad ? ['failed', '', ''] : ['inserted', lead_id, id];
    assert.deepEqual([line, outcome, lead_id, external_lead_id], [String(row.line), ...expected]);
    assert.equal(Boolean(lead_id), !row.isBad);
    assert.equal(Boolean(errors), row.isBad, `line ${line}: ${errors}`);
    const shown = [id, ...others].map((cell) => (cell.startsWith('=') ? `'${cell}` : cell));
    assert.deepEqual(Object.values(cells).slice(0, shown.length), shown);
  }

  await page.getByRole('link', { name: 'Leads of this source' }).click();
  await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog');
  const exported = await download(page, dialog.getByRole('link', { name: /^CSV/ }));
  assert.deepEqual(
    exported.rows.map((lead) => lead.external_lead_id).sort(),
    good.map(({ cells: [id] }) => id).sort(),
  );
  assert.ok(exported.rows.every(({ source, phone }) => source === 'messe' && phone?.[0] === "'"));
});

it('a check does not hold once a setting is changed, and a source brings back what its columns meant', async (visit) => {
  const { page } = await visit(signedIn(people.member.cookie));
  await page.goto(`/a/${ours.id}/imports`);
  await chooseFile(page, 'small.csv', Buffer.from('Telefon,Wann\n030 901820,heute\n'));
  assert.equal(await page.getByLabel('Telefon goes to').inputValue(), 'phone');
  await page.getByLabel('Telefon goes to').selectOption('custom');
  await page.getByLabel('Source').fill('messe');
  await page.getByLabel('Source').press('Enter');
  await page.getByText('as they were when a file like this was imported before').waitFor();
  assert.equal(await page.getByLabel('Telefon goes to').inputValue(), 'phone');
  assert.equal(await page.getByLabel('Campaign').inputValue(), '1');
  assert.equal(await page.getByLabel('Country of phone numbers').inputValue(), 'DE');

  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('button', { name: 'Import 1 row' }).waitFor();
  await page.getByLabel('Wann goes to').selectOption('first_name');
  await page.getByText('A setting was changed since the last check').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Import 1 row' }).count(), 0);
});

it('a file that is no text is refused with what to do; a viewer sees the imports and is offered nothing', async (visit) => {
  const { page } = await visit(signedIn(people.member.cookie));
  await page.goto(`/a/${ours.id}/imports`);
  const zip = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(500)]);
  await chooseFile(page, 'leads.xlsx', zip);
  await page.getByText(/CSV/).first().waitFor();
  await page.getByText('Nothing was written.').waitFor();

  const { page: viewed } = await visit(signedIn(people.viewer.cookie));
  await viewed.goto(`/a/${ours.id}/overview`);
  await goTo(viewed, 'Imports');
  await viewed.getByRole('link', { name: 'Messe 2025.csv' }).click();
  await viewed.getByRole('heading', { name: 'Bad rows: 50' }).waitFor();
  await settled(viewed);
  const acts = /import|start|check|go on|result/i;
  assert.equal(await viewed.locator('main').getByRole('button', { name: acts }).count(), 0);
  assert.equal(await viewed.getByRole('link', { name: 'Result file' }).count(), 0);
  await goTo(viewed, 'Leads');
  assert.equal(await viewed.getByRole('button', { name: 'Export' }).count(), 0);
});
