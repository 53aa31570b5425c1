import { createAccount, createCampaign, createKey, type Env } from './cli.ts';
import { ground } from './ground.ts';
import { type SeededPeople, seedPeople } from './people.ts';

export type SeededKey = {
  public_key: string;
  secret_key: string;
  account_id: string;
  scopes: string[];
};

/** What every database cloned from the seeded template holds. No key of it has a rate limit. */
export type Seed = {
  /** Campaigns 1, 2 and 3. */
  ours: { id: string; full: SeededKey; reader: SeededKey; writer: SeededKey };
  /** Campaign 1. */
  theirs: { id: string; full: SeededKey };
  people: SeededPeople;
};

/** The seed that the global setup made. */
export const seed = (): Seed => ground().seed;

/** Makes the seed through the command line. */
export async function makeSeed(env: Env): Promise<Seed> {
  const [ours, theirs] = await Promise.all([
    createAccount(env, 'Ours'),
    createAccount(env, 'Theirs'),
  ]);
  const [people, full, reader, writer, other] = await Promise.all([
    seedPeople(env, { ours: ours.id, theirs: theirs.id }),
    createKey(env, ours.id),
    createKey(env, ours.id, { scopes: 'leads:read' }),
    createKey(env, ours.id, { scopes: 'leads:write' }),
    createKey(env, theirs.id),
    createCampaign(env, theirs.id, 'Theirs 1'),
    createCampaigns(env, ours.id, 3),
  ]);
  return {
    ours: { id: ours.id, full, reader, writer },
    theirs: { id: theirs.id, full: other },
    people,
  };
}

async function createCampaigns(env: Env, account: string, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) {
    const { id } = await createCampaign(env, account, `Campaign ${n}`);
    if (id !== n) throw new Error(`campaign ${n} of an account got the id ${id}`);
  }
}
