// A string is one token, so that nothing within it counts.
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/g;

/**
 * The elements of an array that is a member of a JSON object, each as the text that it is there: parsed and written anew, it
 * need not have the same bytes. `text` must be JSON. @returns none where there is no such array
 */
export function elementsOf(text: string, member: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let lastString = '';
  let start = -1;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const isWithin = start >= 0 && depth === 2;
    if (isWithin && (token === ',' || token === ']')) {
      elements.push(text.slice(start, index).trim());
      start = index + 1;
    }
    if (isWithin && token === ']') return elements.filter((element) => element !== '');
    if (token === '{' || token === '[') {
      depth++;
      const isMember = token === '[' && depth === 2 && lastString === JSON.stringify(member);
      if (isMember && start < 0) start = index + 1;
    } else if (token === '}' || token === ']') depth--;
    else if (token !== ',' && depth === 1) lastString = token;
  }
  return elements;
}
