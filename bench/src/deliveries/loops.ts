/** Calls `work` for from…from+count−1, `loops` at a time. Rejects with the first failure. */
export async function inLoops(
  loops: number,
  from: number,
  count: number,
  work: (number: number) => Promise<unknown>,
): Promise<void> {
  let next = from;
  const loop = async () => {
    while (next < from + count) await work(next++);
  };
  await Promise.all(Array.from({ length: loops }, loop));
}

/** The numbers from…from+count−1 in chunks. */
export function* chunks(from: number, count: number, size: number): Generator<number[]> {
  for (let first = from; first < from + count; first += size) {
    const length = Math.min(size, from + count - first);
    yield Array.from({ length }, (_, index) => first + index);
  }
}
