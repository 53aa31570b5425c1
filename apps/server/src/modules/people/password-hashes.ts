import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { busy } from './errors.ts';

// OWASP, "Password Storage Cheat Sheet": N = 2^15, r = 8, p = 3 is one of its equals.
const COST = { N: 2 ** 15, r: 8, p: 3 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
// Of the four threads that also read files: signing in takes two at most.
const AT_ONCE = 2;
const WAITING = 40;

export type PasswordHashes = ReturnType<typeof createPasswordHashes>;

/** scrypt (RFC 7914) as `scrypt$N$r$p$salt$hash`; as many at once as leave room for others. */
export function createPasswordHashes() {
  const inTurn = createTurns(AT_ONCE, WAITING);
  return {
    /** @throws AppError 503 where too many wait */
    async hash(password: string): Promise<string> {
      const salt = randomBytes(SALT_BYTES);
      const hash = await inTurn(() => derive(password, salt, COST));
      const { N, r, p } = COST;
      return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
    },

    /** @throws AppError 503 where too many wait */
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
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) throw busy();
      await new Promise<void>((begin) => waiting.push(begin));
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
