/** All, or where there are more than `most` some of them from a random place on, so that none is left out for ever. */
export function someOf<T>(all: T[], most: number, random: () => number): T[] {
  if (all.length <= most) return all;
  const start = Math.floor(random() * all.length);
  return [...all.slice(start), ...all.slice(0, start)].slice(0, most);
}
