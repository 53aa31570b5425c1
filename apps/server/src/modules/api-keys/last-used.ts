import type { Database } from '../../platform/database/index.ts';
import { type KeyUse, markUsed } from './repository/in-use.ts';

/** Gathers when keys were used and writes it now and then, so that no request pays for it. */
export function createLastUsed(deps: {
  database: Database;
  everyMs: number;
  log: { warn(details: object, message: string): void };
}) {
  let uses = new Map<string, KeyUse>();
  const timer = setInterval(() => void flush(), deps.everyMs).unref();

  async function flush(): Promise<void> {
    if (uses.size === 0) return;
    const written = [...uses.values()];
    uses = new Map();
    await markUsed(deps.database, written).catch((error) =>
      deps.log.warn({ err: error }, 'the last use of some keys was not written'),
    );
  }

  return {
    record: (use: KeyUse): void => void uses.set(use.id, use),
    async close(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}
