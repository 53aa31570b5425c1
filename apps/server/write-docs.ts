// Writes the pages that are made from code; a test beside each source fails when one is stale.
import { writeFile } from 'node:fs/promises';
import { SETTINGS } from './src/settings.ts';
import { settingsTable } from './src/settings-table.ts';

await writeFile(new URL('../../docs/settings.md', import.meta.url), settingsTable(SETTINGS));
