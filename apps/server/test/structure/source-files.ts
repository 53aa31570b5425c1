import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

const SRC = join(import.meta.dirname, '..', '..', 'src');

export type SourceFile = {
  /** Below apps/server/src, with slashes. */
  path: string;
  text: string;
  /** The text without comments, each replaced by a space. */
  code: string;
};

/** Every TypeScript file of the server. */
export async function readSources(): Promise<SourceFile[]> {
  const names = await readdir(SRC, { recursive: true });
  const files = names.filter((name) => name.endsWith('.ts')).sort();
  return Promise.all(
    files.map(async (name) => {
      const text = await readFile(join(SRC, name), 'utf8');
      return { path: relative('.', name).split(sep).join('/'), text, code: withoutComments(text) };
    }),
  );
}

/** Tests, and what stands in the source for tests alone. */
export const isForTests = (path: string): boolean =>
  path.endsWith('.test.ts') || path.endsWith('/testing.ts') || path.includes('/test-support/');

/*
 * A line comment needs a space, a line's start or a bracket before it, so that the // of a URL in a string is none.
 * A string that holds a comment is mistaken for one; nothing is looked for in such strings here.
 */
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|[\s;{}()[\],])\/\/[^\n]*/gm;

export const withoutComments = (text: string): string => text.replace(COMMENT, ' ');

/** The template literals and quoted strings of a text, outermost first, with their `${…}` as written. */
export function literalsOf(code: string): string[] {
  const literals: string[] = [];
  for (let i = 0; i < code.length; i++) {
    const quote = code[i];
    if (quote !== '`' && quote !== "'" && quote !== '"') continue;
    const end = endOfLiteral(code, i);
    literals.push(code.slice(i + 1, end));
    i = end;
  }
  return literals;
}

/** The index of the quote that ends the literal which begins at `start`. */
function endOfLiteral(code: string, start: number): number {
  const quote = code[start];
  for (let i = start + 1; i < code.length; i++) {
    if (code[i] === '\\') i++;
    else if (code[i] === quote) return i;
    else if (quote === '`' && code.startsWith('${', i)) i = endOfSubstitution(code, i + 2);
  }
  return code.length;
}

function endOfSubstitution(code: string, start: number): number {
  let depth = 1;
  for (let i = start; i < code.length; i++) {
    const c = code[i] as string;
    if ('`\'"'.includes(c)) i = endOfLiteral(code, i);
    else if (c === '{') depth++;
    else if (c === '}' && --depth === 0) return i;
  }
  return code.length;
}
