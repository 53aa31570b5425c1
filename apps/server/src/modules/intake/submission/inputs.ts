import { createHash } from 'node:crypto';
import { isOwn } from './own-inputs.ts';
import type { Entry } from './read.ts';

/** What was sent, by name; what is empty counts as not sent. */
export type Inputs = ReadonlyMap<string, readonly unknown[]>;

export function inputsOf(entries: readonly Entry[]): Inputs {
  const inputs = new Map<string, unknown[]>();
  for (const [name, value] of entries) {
    if (value === '' || value === null) continue;
    const values = inputs.get(name);
    if (values) values.push(value);
    else inputs.set(name, [value]);
  }
  return inputs;
}

/** The text of one of the form's own inputs; of several the last, as of a hidden input before a checkbox. */
export function ownText(inputs: Inputs, name: string): string | undefined {
  const value = inputs.get(name)?.at(-1);
  return typeof value === 'object' || value === undefined ? undefined : String(value);
}

/** 32 hex digits that are the same for the same fields, in whatever order they were sent. */
export function digestOf(inputs: Inputs): string {
  const sorted = [...inputs]
    .filter(([name]) => !isOwn(name) && !name.startsWith('_'))
    .map((input) => JSON.stringify(input))
    .sort();
  return createHash('sha256').update(sorted.join('\n')).digest('hex').slice(0, 32);
}
