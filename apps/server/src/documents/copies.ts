import { fencesOf } from './fences.ts';

/**
 * A guide with each block that says `file=…` made a copy of that file.
 * @param readFile reads a file of the repository by its path
 */
export async function withCopies(
  markdown: string,
  readFile: (path: string) => Promise<string>,
): Promise<string> {
  const lines = markdown.split('\n');
  // From the end, so that what changes moves no line that is still looked for.
  for (const { file, line, text } of fencesOf(markdown).reverse()) {
    if (file === null) continue;
    const held = text.split('\n').length - 1;
    const copy = (await readFile(file)).split('\n').slice(0, -1);
    lines.splice(line - 1, held, ...copy);
  }
  return lines.join('\n');
}
