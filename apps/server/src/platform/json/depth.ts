/**
 * Whether objects and arrays stand inside of each other more than `levels` deep. JSON.parse reads any depth; JSON.stringify, and the
 * store's own parser, run out of stack.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
