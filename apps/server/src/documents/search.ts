import MiniSearch from 'minisearch';
import type { Section } from './sections.ts';

export type Found = {
  href: string;
  heading: string;
  where: string;
  /** A piece of the text; what was looked for is marked. */
  excerpt: { text: string; isMatch: boolean }[];
};

export type Search = {
  /** The best matches first, at most 20. Words beyond the eighth are not looked at. */
  find(query: string): Found[];
};

// What bounds the work that one request can ask for: each word walks the index.
const MAX_WORDS = 8;
const MAX_WORD_LENGTH = 40;
const MAX_RESULTS = 20;
const EXCERPT_LENGTH = 220;
const BEFORE_MATCH = 60;
const WORDS = /[^\p{L}\p{N}]+/u;

/** An index that is kept in memory. @param sections each added in a turn of its own: building it stalls nobody */
export async function createSearch(sections: readonly Section[]): Promise<Search> {
  const index = new MiniSearch<Section & { id: number }>({
    fields: ['heading', 'where', 'text', 'code'],
    tokenize: (text) => text.split(WORDS),
    searchOptions: {
      boost: { heading: 4, where: 2, text: 1, code: 0.5 },
      // Short words begin too many others, and are too near to too many.
      prefix: (term) => term.length >= 2,
      fuzzy: (term) => (term.length >= 5 ? 1 : false),
      maxFuzzy: 1,
    },
  });
  await index.addAllAsync(
    sections.map((section, id) => ({ ...section, id })),
    { chunkSize: 20 },
  );
  return {
    find(query) {
      const words = query
        .split(WORDS)
        .filter((word) => word !== '' && word.length <= MAX_WORD_LENGTH)
        .slice(0, MAX_WORDS)
        .join(' ');
      const all = index.search(words, { combineWith: 'AND' });
      const results = all.length > 0 ? all : index.search(words);
      return results
        .slice(0, MAX_RESULTS)
        .map(({ id, terms }) => shown(sections[id] as Section, terms));
    },
  };
}

function shown({ href, heading, where, text }: Section, terms: string[]): Found {
  const escaped = terms.map((term) => term.replace(/[^\p{L}\p{N}]/gu, ''));
  const match = new RegExp(`(?<![\\p{L}\\p{N}])(${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
  return { href, heading, where, excerpt: marked(excerptOf(text.trim(), match), match) };
}

/** A piece of a text around the first match, from word to word. */
function excerptOf(text: string, match: RegExp): string {
  const at = Math.max(0, text.search(match) - BEFORE_MATCH);
  const from = at === 0 ? 0 : text.indexOf(' ', at) + 1;
  const isRest = text.length - from <= EXCERPT_LENGTH;
  const to = isRest ? text.length : text.lastIndexOf(' ', from + EXCERPT_LENGTH);
  const piece = text.slice(from, to > from ? to : from + EXCERPT_LENGTH);
  return `${from > 0 ? '… ' : ''}${piece}${isRest ? '' : ' …'}`;
}

// A split by a group keeps what the group holds, at every second place.
const marked = (text: string, match: RegExp): Found['excerpt'] =>
  text
    .split(new RegExp(match, 'giu'))
    .map((part, n) => ({ text: part, isMatch: n % 2 === 1 }))
    .filter((part) => part.text !== '');
