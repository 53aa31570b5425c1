/** A name that was given as one: the last word is the last name; a single one the first name. */
export function splitFullName(text: string): { first_name: string; last_name?: string } {
  const words = text.trim().split(/\s+/);
  const last = words.length > 1 ? words.pop() : undefined;
  return { first_name: words.join(' '), ...(last === undefined ? {} : { last_name: last }) };
}
