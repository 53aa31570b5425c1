import { readFile } from 'node:fs/promises';
import { parseYaml } from '@redocly/openapi-core';
import { type Fence, fencesOf } from '../../../src/documents/fences.ts';
import { stepsOf } from './steps.ts';

const REPOSITORY = new URL('../../../../../', import.meta.url);

/** Languages of blocks, and whether the tests run or check such a block where nothing else is said. */
const LANGUAGES: Record<string, 'run' | 'parsed' | 'shown' | 'copied'> = {
  ...{
    sh: 'run',
    ts: 'run',
    js: 'run',
    json: 'parsed',
    yaml: 'parsed',
    ini: 'shown',
    text: 'shown',
  },
  ...{ python: 'copied', php: 'copied', ruby: 'copied', go: 'copied' },
};

/** What is wrong with the blocks of code of a guide, as far as that is known without running them. */
export async function blockProblemsOf(slug: string, markdown: string): Promise<string[]> {
  const problems = fencesOf(markdown).map(async (fence) => {
    const found = [
      ...formProblems(fence),
      ...contentProblems(fence),
      ...(await copyProblems(fence)),
    ];
    return found.map((problem) => `${slug}.md:${fence.line}: ${problem}`);
  });
  return [...(await Promise.all(problems)).flat(), ...orderProblems(slug, markdown)];
}

function formProblems({ language, isAnswer, file, noRun, unknown }: Fence): string[] {
  const problems = unknown.map((word) => `"${word}" means nothing behind a language`);
  const kind = LANGUAGES[language];
  if (!kind) problems.push(`"${language}" is not one of ${Object.keys(LANGUAGES).join(', ')}`);
  if (isAnswer && language !== 'json') problems.push('an answer is json');
  if (noRun !== null && noRun.length < 10) problems.push('no-run needs a reason');
  if (noRun !== null && kind !== 'run' && kind !== 'copied') problems.push('nobody runs this');
  if (kind === 'copied' && file === null && noRun === null) {
    problems.push(`${language} is run as a file of the repository alone: write file=…`);
  }
  return problems;
}

function contentProblems({ language, text }: Fence): string[] {
  try {
    if (language === 'json') JSON.parse(text);
    if (language === 'yaml') parseYaml(text);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

async function copyProblems({ file, text }: Fence): Promise<string[]> {
  if (file === null) return [];
  const source = await readFile(new URL(file, REPOSITORY), 'utf8').catch(() => null);
  if (source === null) return [`there is no file ${file}`];
  return source === text ? [] : [`differs from ${file}: run "npm run docs"`];
}

function orderProblems(slug: string, markdown: string): string[] {
  try {
    stepsOf(markdown);
    return [];
  } catch (error) {
    return [`${slug}.md, ${(error as Error).message}`];
  }
}
