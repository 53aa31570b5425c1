import MarkdownIt from 'markdown-it';

/** A fenced block of code of a guide, and what its info string says of it. */
export type Fence = {
  /** First word of the info string: sh, ts, json, …; '' where there is none. */
  language: string;
  text: string;
  /** Line of the guide, from 1, that holds the first line of the text. */
  line: number;
  /** What the block before it prints (`json answer`). */
  isAnswer: boolean;
  /** The file of the repository that the block is a copy of (`file=…`). */
  file: string | null;
  /** Why the tests do not run it (`no-run="…"`). */
  noRun: string | null;
  /** Words of the info string that mean nothing. */
  unknown: string[];
};

const WORD = /([\w-]+)(?:=(?:"([^"]*)"|(\S+)))?/g;

/** The blocks of code of a guide, in their order. */
export function fencesOf(markdown: string): Fence[] {
  return new MarkdownIt()
    .parse(markdown, {})
    .filter(({ type }) => type === 'fence')
    .map(({ info, content, map }) => ({
      text: content,
      line: (map?.[0] ?? 0) + 2,
      ...wordsOf(info),
    }));
}

function wordsOf(info: string): Omit<Fence, 'text' | 'line'> {
  const [language = '', ...rest] = info.trim().split(/\s+/);
  const words = new Map(
    [...rest.join(' ').matchAll(WORD)].map(([, name, quoted, plain]) => [
      name as string,
      quoted ?? plain ?? '',
    ]),
  );
  const known = ['answer', 'file', 'no-run'];
  return {
    language,
    isAnswer: words.has('answer'),
    file: words.get('file') ?? null,
    noRun: words.get('no-run') ?? null,
    unknown: [...words.keys()].filter((name) => !known.includes(name)),
  };
}
