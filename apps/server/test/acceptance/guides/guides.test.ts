import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { GUIDES, guideOf, readGuides } from '../../../src/documents/guides.ts';
import { blockProblemsOf } from './blocks.ts';
import { GUIDES_FOLDER } from './folder.ts';
import { brokenLinksOf } from './links.ts';

describe('the guides', () => {
  test('are the ones that are listed, each with a title and a summary', async () => {
    const names = await readdir(GUIDES_FOLDER);
    assert.deepEqual(names.toSorted(), GUIDES.map((slug) => `${slug}.md`).toSorted());
    for (const { slug, title, summary } of await readGuides(GUIDES_FOLDER)) {
      assert.notEqual(title, slug);
      // It stands in lists, where a link of it would lead elsewhere.
      assert.match(summary, /^[^[]{20,300}$/, slug);
    }
  });

  test('have no block of code that nobody checks, and every copy of a file is as the file is', async () => {
    const guides = await readGuides(GUIDES_FOLDER);
    const problems = guides.map(({ slug, markdown }) => blockProblemsOf(slug, markdown));
    assert.deepEqual((await Promise.all(problems)).flat(), []);
  });

  test('link to guides, headings and files that are there', async () => {
    const guides = await readGuides(GUIDES_FOLDER);
    const broken = guides.map((guide) => brokenLinksOf(guide, guides));
    assert.deepEqual((await Promise.all(broken)).flat(), []);
  });
});

const fence = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\`\n`;

describe('the checks see', () => {
  const bad: [name: string, block: string, problem: RegExp][] = [
    ['an unknown language', fence('bash', 'true'), /:1?\d: "bash" is not one of/],
    ['no language', fence('', 'true'), /"" is not one of/],
    ['no-run without a reason', fence('sh no-run=""', 'true'), /needs a reason/],
    ['an unknown word', fence('sh fails=401', 'true'), /"fails" means nothing/],
    ['JSON that is none', fence('json', '{a: 1}'), /JSON/],
    ['YAML that is none', fence('yaml', 'a: [1'), /./],
    ['Python that nobody runs', fence('python', 'pass'), /write file=/],
    ['a copy of no file', fence('go file=examples/none.go', ''), /there is no file/],
    ['a copy that is stale', fence('json file=biome.json', '{}'), /npm run docs/],
    ['an answer to nothing', fence('json answer', '{}'), /an answer to nothing/],
  ];
  for (const [name, block, problem] of bad) {
    test(name, async () => {
      const [first = ''] = await blockProblemsOf('fixture', `# Title\n\nSummary.\n\n${block}`);
      assert.match(first, problem);
    });
  }

  test('links to a guide, a heading and a file that are not there', async () => {
    const links = ['none.md', '#none', '../none.md', '/none', '#title', '/docs/reference'];
    const text = links.map((link) => `[a](${link})`).join(' ');
    const guide = guideOf('fixture', `# Title\n\nSummary.\n\n${text}\n`);
    const broken = await brokenLinksOf(guide, [guide]);
    assert.deepEqual(
      broken,
      links.slice(0, 4).map((link) => `fixture.md: ${link}`),
    );
  });

  test('a guide without a title, or without a summary', () => {
    assert.equal(guideOf('fixture', '# Title\n\n## Heading\n').summary, '');
    assert.equal(guideOf('fixture', 'Text\n').title, 'fixture');
    assert.equal(guideOf('fixture', '# Title\n\n`a` is\nb.\n\nMore.').summary, '`a` is b.');
  });
});
