import type { Database } from '../../platform/database/index.ts';
import { addressNotInvited, addressRefused, signInFirst } from './errors.ts';
import type { FailureLimits } from './failure-limits.ts';
import type { PasswordHashes } from './password-hashes.ts';
import { checkPassword } from './password-rules.ts';
import * as repository from './repository.ts';

// What better-auth takes for an address when a person signs in (its schema of /sign-in/email).
const ADDRESS = /^(?!\.)(?!.*\.\.)([a-z0-9_'+\-.]*)[a-z0-9_+-]@([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;

export type NewPerson = { name: string; email: string; password: string };
type Made = { id: string; email: string };

type Deps = {
  database: Database;
  hashes: PasswordHashes;
  limits: Pick<FailureLimits, 'guard'>;
  newId: () => string;
  now: () => string;
};

export function createRegistration({ database, hashes, limits, newId, now }: Deps) {
  return {
    /**
     * Makes a person in one transaction with what else is to happen, e.g. that they join an account.
     * @param invited the one address that may register; null: any. `link`: what lets them in, which may not be used to find out
     *   who is known: ten addresses that are taken are told.
     * @throws AppError 400 for a weak password or address, 403 for another one than was invited, 409 where it is taken, 429
     */
    async register(
      { name, email: given, password }: NewPerson,
      { invited, link }: { invited: string | null; link: string },
      alsoDo: (query: Database['query'], person: Made) => Promise<void>,
    ): Promise<Made> {
      const email = given.toLowerCase();
      if (!ADDRESS.test(email)) throw addressRefused();
      if (invited !== null && invited !== email) throw addressNotInvited();
      checkPassword(password, { name, email }, 'password');
      // Asked first, so that no hash is made for nothing.
      const isFree = async () => {
        if (await repository.findByEmail(database, email)) throw signInFirst();
      };
      await limits.guard({ name: `link ${link}` }, isFree, () => true);
      const passwordHash = await hashes.first(() => hashes.hash(password));
      const id = newId();
      await database.transaction(async (query) => {
        const person = { id, name, email, at: now() };
        const isNew = await repository.insert(query, person, { id: newId(), passwordHash });
        if (!isNew) throw signInFirst();
        await alsoDo(query, { id, email });
      });
      return { id, email };
    },
  };
}
