// On valid JSON each match eats a whole string, so that a pass is linear.
const STRING = /"((?:[^"\\]|\\.)*)"(\s*:)?/g;
const MARK = '\uF8FF';
const LETTERS = 0x100;

/**
 * JSON.parse without a defect of V8 (Node 24.0 to 26.10, nodejs/node#63785): a key that is written with an escape can come out as the
 * key of another object, parsed earlier, which has the same keys before it. {"a":1,"\\":2} of one partner turned
 * {"a":1,"\u00e9":2} of another into {"a":1,"\\":2}. A key without a backslash is not hit: such texts, nearly all, go straight
 * to JSON.parse; in others the keys are rewritten before and restored after. @throws SyntaxError as JSON.parse does.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!text.includes('\\') || !hasEscapedKey(text)) return value;
  const rewritten = text.replace(STRING, (string, content: string, colon?: string) =>
    colon !== undefined && (content.includes('\\') || content.includes(MARK))
      ? `"${withoutEscapes(string)}"${colon}`
      : string,
  );
  return restore(JSON.parse(rewritten));
}

function hasEscapedKey(text: string): boolean {
  for (const [, content = '', colon] of text.matchAll(STRING)) {
    if (colon !== undefined && content.includes('\\')) return true;
  }
  return false;
}

/** The key with raw characters for its escapes; those that cannot stand raw, and the mark, become the mark and a letter. */
function withoutEscapes(keyAndColon: string): string {
  const key = JSON.parse(keyAndColon.slice(0, keyAndColon.lastIndexOf('"') + 1)) as string;
  let raw = '';
  for (const character of key) {
    const code = character.charCodeAt(0);
    const mustEscape = code < 0x20 || character === '"' || character === '\\' || character === MARK;
    raw += mustEscape ? MARK + String.fromCharCode(LETTERS + code) : character;
  }
  return raw;
}

function restore(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(restore);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [restoreKey(key), restore(inner)]),
  );
}

function restoreKey(key: string): string {
  const [first = '', ...rest] = key.split(MARK);
  return rest.reduce(
    (text, part) => text + String.fromCharCode(part.charCodeAt(0) - LETTERS) + part.slice(1),
    first,
  );
}
