// Writes what is made from code; a test beside each source fails when one is stale.
import { readFile, writeFile } from 'node:fs/promises';
import { sdkTypes } from '../../packages/sdk/write-types.ts';
import { withCopies } from './src/documents/copies.ts';
import { readGuides } from './src/documents/guides.ts';
import { SETTINGS } from './src/settings.ts';
import { settingsTable } from './src/settings-table.ts';

const REPOSITORY = new URL('../../', import.meta.url);
const GUIDES = new URL('docs/guides/', REPOSITORY);

await writeFile(new URL('docs/settings.md', REPOSITORY), settingsTable(SETTINGS));
await writeFile(new URL('packages/sdk/src/types.generated.ts', REPOSITORY), await sdkTypes());

const read = (path: string) => readFile(new URL(path, REPOSITORY), 'utf8');
for (const { slug, markdown } of await readGuides(GUIDES)) {
  const copied = await withCopies(markdown, read);
  if (copied !== markdown) await writeFile(new URL(`${slug}.md`, GUIDES), copied);
}
