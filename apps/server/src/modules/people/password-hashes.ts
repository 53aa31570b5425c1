import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { busy } from './errors.ts';

// OWASP, "Password Storage Cheat Sheet": N = 2^15, r = 8, p = 3 is one of its equals.
const COST = { N: 2 ** 15, r: 8, p: 3 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
// Each takes a core for a tenth of a second and more: one core at least is left to the leads that come in.
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
const WAITING = 40;

export type PasswordHashes = ReturnType<typeof createPasswordHashes>;

/** scrypt (RFC 7914) as `scrypt$N$r$p$salt$hash`; as many at once as leave room for others. */
export function createPasswordHashes() {
  const isKnown = new AsyncLocalStorage<boolean>();
  const inTurns = createTurns(AT_ONCE, WAITING);
  const inTurn = <T>(work: () => Promise<T>) => inTurns.take(work, isKnown.getStore() ?? false);
  return {
    /** What `work` hashes goes before what strangers ask for, and does not stand in their queue: a flood of theirs delays nobody known. */
    first: <T>(work: () => Promise<T>): Promise<T> => isKnown.run(true, work),

    /** Asked before any other work is done for a sign-in. @throws AppError 429 where too many wait */
    assertRoom(): void {
      if (!inTurns.hasRoom(isKnown.getStore() ?? false)) throw busy();
    },

    /** @throws AppError 429 where too many wait */
    async hash(password: string): Promise<string> {
      const salt = randomBytes(SALT_BYTES);
      const hash = await inTurn(() => derive(password, salt, COST));
      const { N, r, p } = COST;
      return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
    },

    /** @throws AppError 429 where too many wait */
    async verify({ hash, password }: { hash: string; password: string }): Promise<boolean> {
      const [, N, r, p, salt = '', stored = ''] = hash.split('$');
      const cost = { N: Number(N), r: Number(r), p: Number(p) };
      const made = await inTurn(() => derive(password, Buffer.from(salt, 'base64url'), cost));
      const right = Buffer.from(stored, 'base64url');
      return right.length === made.length && timingSafeEqual(right, made);
    },
  };
}

/** Of one password in two ways of writing accents one form (NIST SP 800-63B, Unicode NFKC). */
function derive(password: string, salt: Buffer, cost: { N: number; r: number; p: number }) {
  const options: ScryptOptions = { ...cost, maxmem: 256 * cost.N * cost.r };
  return new Promise<Buffer>((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });
}

function createTurns(atOnce: number, mostWaiting: number) {
  let running = 0;
  const known: (() => void)[] = [];
  const strangers: (() => void)[] = [];
  const queueOf = (goesFirst: boolean) => (goesFirst ? known : strangers);
  const hasRoom = (goesFirst: boolean) =>
    running < atOnce || queueOf(goesFirst).length < mostWaiting;

  async function take<T>(work: () => Promise<T>, goesFirst: boolean): Promise<T> {
    if (!hasRoom(goesFirst)) throw busy();
    if (running >= atOnce) {
      const waiting = queueOf(goesFirst);
      await new Promise<void>((begin) => waiting.push(begin));
    } else running++;
    try {
      return await work();
    } finally {
      const next = known.shift() ?? strangers.shift();
      if (next) next();
      else running--;
    }
  }
  return { take, hasRoom };
}
