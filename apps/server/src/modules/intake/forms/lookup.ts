import type { Feature } from '@leadwire/contract';
import { LRUCache } from 'lru-cache';
import { type Database, isUnavailable } from '../../../platform/database/index.ts';
import { createGroup } from '../../../platform/grouping/index.ts';
import { fromPublicId } from '../../../platform/ids/index.ts';
import type { KeyVerifier } from '../../api-keys/index.ts';
import type { PublicForm } from './form.ts';
import { type LookedUpForm, lookUp } from './repository/lookup.ts';

type Known = { askedAt: number; form: PublicForm | null };

export type LookupDeps = {
  database: Database;
  verifier: Pick<KeyVerifier, 'findById'>;
  /** What the deployment has switched off. */
  featuresOff: readonly Feature[];
  monotonicMs: () => number;
};

// Under the second that the contract gives, by what a look-up and a slow turn of the loop may take.
const MAX_AGE_MS = 800;
const REMEMBERED = 5_000;
/** Ids of no form: apart, so that a flood of them pushes out no form. */
const MISSES_REMEMBERED = 5_000;
// Whoever tries ids costs a part of two statements at a time, however many they are.
const LOOK_UPS = { maxItems: 500, maxInFlight: 2, maxWaiting: 5_000 };

/**
 * Finds forms by the ids that pages send. A form is remembered for less than a second, counted from before its look-up, and so is that there is
 * none. Whether the key may be used is asked of the verifier each time, which remembers it as long: the two never add up.
 */
export function createLookup({ database, verifier, featuresOff, monotonicMs }: LookupDeps) {
  const found = new LRUCache<string, Known>({ max: REMEMBERED });
  const missing = new LRUCache<string, Known>({ max: MISSES_REMEMBERED });
  const lookUps = createGroup({
    ...LOOK_UPS,
    run: (asked: { id: string; known: number }[]) => lookUp(database, asked),
    keyOf: ({ id }) => id,
    share: (_first, form) => form,
    failsWhole: isUnavailable,
  });

  const isFresh = (known: Known | undefined): known is Known =>
    known !== undefined && monotonicMs() - known.askedAt < MAX_AGE_MS;

  async function ask(id: string): Promise<PublicForm | null> {
    const askedAt = monotonicMs();
    const before = found.get(id)?.form?.consentTexts ?? NO_TEXTS;
    const row = await lookUps.add({ id, known: Math.max(0, ...before.keys()) });
    const form = row?.active ? toPublicForm(row, before) : null;
    (row ? found : missing).set(id, { askedAt, form });
    if (row) missing.delete(id);
    return form;
  }

  /** Null where the key cannot be used, or forms are switched off. */
  async function usable(form: PublicForm | null): Promise<PublicForm | null> {
    if (!form || featuresOff.includes('forms')) return null;
    const key = await verifier.findById(form.accountId, form.keyId);
    const isUsable = key?.scopes.has('leads:write') && !key.featuresOff.includes('forms');
    return isUsable ? form : null;
  }

  return async (publicId: string): Promise<PublicForm | null> => {
    const id = fromPublicId('form', publicId);
    if (id === null) return null;
    const known = found.get(id) ?? missing.get(id);
    if (!isFresh(known)) return usable(await ask(id));
    // A key that has just been rotated is known to be revoked before it is known which one the form has now.
    return (await usable(known.form)) ?? (known.form && usable(await ask(id)));
  };
}

const NO_TEXTS: ReadonlyMap<number, string> = new Map();

function toPublicForm(row: LookedUpForm, before: ReadonlyMap<number, string>): PublicForm {
  const { active: _active, consentVersion, consentRequired, newTexts, ...form } = row;
  return {
    ...form,
    consent:
      consentVersion === null ? null : { version: consentVersion, required: consentRequired },
    consentTexts: newTexts.length === 0 ? before : new Map([...before, ...newTexts]),
  };
}
