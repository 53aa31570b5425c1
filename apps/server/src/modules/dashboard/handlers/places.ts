import { AppError } from '../../../platform/errors/index.ts';

/** So many at a time for each person. @returns what takes a place, and gives what leaves it */
export function createPlaces(most: number): (person: string) => () => void {
  const taken = new Map<string, number>();
  return (person) => {
    const count = taken.get(person) ?? 0;
    if (count >= most) throw tooManyExports(most);
    taken.set(person, count + 1);
    return () => {
      const left = (taken.get(person) ?? 1) - 1;
      if (left > 0) taken.set(person, left);
      else taken.delete(person);
    };
  };
}

const tooManyExports = (most: number) =>
  new AppError({
    status: 429,
    code: 'too_many_exports',
    message: `A person may export ${most} files at a time. Wait until one of them is done.`,
    headers: { 'retry-after': '10' },
  });
