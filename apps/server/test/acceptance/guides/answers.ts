import { isDeepStrictEqual } from 'node:util';

const ANYTHING = '…';

/**
 * What a block printed last, as JSON: one document, on a line of its own or, as answers without a newline come, behind another.
 * @returns undefined where there is none
 */
export function lastJson(stdout: string): unknown {
  const text = stdout.trimEnd();
  for (const { index } of [...text.matchAll(/(?<=^|[\n}\]])[[{]/g)].reverse()) {
    try {
      return JSON.parse(text.slice(index));
    } catch {
      // An inner part of a document: it begins further up.
    }
  }
  return undefined;
}

/**
 * Where an answer lacks what a guide shows of it: each member that is shown must be equal; `…` stands for anything, alone or
 * within a text, and at the end of an array for more of it.
 * @returns null where nothing differs
 */
export function differenceOf(shown: unknown, actual: unknown, path = 'the answer'): string | null {
  const differs = `${path} is ${JSON.stringify(actual)}, and shown is ${JSON.stringify(shown)}`;
  if (shown === ANYTHING) return actual === undefined ? differs : null;
  if (typeof shown === 'string') {
    return typeof actual === 'string' && matches(shown, actual) ? null : differs;
  }
  if (Array.isArray(shown)) {
    return Array.isArray(actual) ? differenceOfArrays(shown, actual, path) : differs;
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return differs;
    return first(
      Object.entries(shown).map(([name, value]) =>
        differenceOf(value, (actual as Record<string, unknown>)[name], `${path}, ${name}`),
      ),
    );
  }
  return isDeepStrictEqual(shown, actual) ? null : differs;
}

function differenceOfArrays(shown: unknown[], actual: unknown[], path: string): string | null {
  const isOpen = shown.length > 0 && shown.at(-1) === ANYTHING;
  const least = isOpen ? shown.slice(0, -1) : shown;
  if (isOpen ? actual.length < least.length : actual.length !== least.length) {
    return `${path} has ${actual.length} entries, and shown are ${least.length}`;
  }
  return first(least.map((value, n) => differenceOf(value, actual[n], `${path}, ${n}`)));
}

const first = (differences: (string | null)[]): string | null =>
  differences.find((one) => one !== null) ?? null;

const matches = (shown: string, actual: string): boolean => {
  const parts = shown.split(ANYTHING).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`).test(actual);
};
