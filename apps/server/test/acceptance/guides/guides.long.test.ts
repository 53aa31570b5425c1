import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readGuides } from '../../../src/documents/guides.ts';
import { GUIDES_FOLDER } from './folder.ts';
import { runAgainstService } from './scene.ts';
import { typeErrorsOf } from './types.ts';

const guides = await readGuides(GUIDES_FOLDER);

test('the TypeScript of all guides passes a strict compiler', async () => {
  assert.equal(await typeErrorsOf(guides), '');
});

describe('every block of code runs, and prints what the guide shows', () => {
  for (const { slug, markdown } of guides) {
    test(slug, () => runAgainstService(slug, markdown));
  }
});
