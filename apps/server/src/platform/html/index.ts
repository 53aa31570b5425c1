/** Markup that is ready to be sent. */
export type Html = { markup: string };

type Part = Html | string | number | null | undefined | false | readonly Part[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // A bare one would come back as a line feed.
  '\r': '&#13;',
};

/** Text as a browser shows it, in elements and in quoted attributes. HTML cannot hold U+0000. */
export const escapeText = (text: string): string =>
  text.toWellFormed().replace(/[&<>"'\r\0]/g, (character) => ENTITIES[character] ?? '\uFFFD');

/** A template whose parts are escaped, whatever they are, unless they are Html themselves. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => ({
  markup: strings.reduce((all, string, index) => all + markupOf(parts[index - 1]) + string),
});

function markupOf(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return 'markup' in part ? part.markup : part.map(markupOf).join('');
}
