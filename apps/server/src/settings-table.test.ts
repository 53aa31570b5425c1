import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { SETTINGS } from './settings.ts';
import { settingsTable } from './settings-table.ts';

test('docs/settings.md names every setting as it is', async () => {
  const page = await readFile(new URL('../../../docs/settings.md', import.meta.url), 'utf8');
  assert.equal(page, settingsTable(SETTINGS), 'run `npm run docs`');
});
