const STRING_OR_BRACKET = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** The first key that stands twice in one object of `text`, which must be valid JSON; undefined where none does. */
export function findDuplicateKey(text: string): string | undefined {
  const open: (Set<string> | null)[] = [];
  let last = '';
  for (const [token] of text.matchAll(STRING_OR_BRACKET)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const key = JSON.parse(last) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
    last = token;
  }
  return undefined;
}
