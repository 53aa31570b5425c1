import type { Database } from '../../platform/database/index.ts';
import { findRestored, renumberRestored } from './repository.ts';

type Log = { info(details: object, message: string): void };

const CHUNK = 10_000;

/**
 * After a dump was restored into a new server its events bear the numbers of transactions that are still to come there,
 * and the feed would hide them until then. They are given one of now, in the order of their ids.
 */
export async function renumberRestoredEvents(database: Database, log: Log): Promise<void> {
  for (const accountId of await findRestored(database)) {
    let events = 0;
    for (let done = CHUNK; done === CHUNK; events += done) {
      done = await renumberRestored(database, accountId, CHUNK);
    }
    log.info({ accountId, events }, 'events of a restored dump were put in order for the feed');
  }
}
