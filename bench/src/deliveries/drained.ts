import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const POLL_MS = 100;
const STUCK_AFTER_MS = 60_000;

/** How many deliveries wait to be sent. */
export async function countWaiting(databaseUrl: string): Promise<number> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    return await waitingRows(client);
  } finally {
    await client.end();
  }
}

/** Waits until nothing waits to be sent; rejects after a minute in which nothing went. */
export async function untilDrained(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    let least = Infinity;
    let changedAt = performance.now();
    for (;;) {
      const left = await waitingRows(client);
      if (left === 0) return;
      if (left < least) changedAt = performance.now();
      least = Math.min(least, left);
      if (performance.now() - changedAt > STUCK_AFTER_MS) {
        throw new Error(`${left} deliveries wait, and none went for a minute`);
      }
      await sleep(POLL_MS);
    }
  } finally {
    await client.end();
  }
}

async function waitingRows(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM deliveries');
  return Number(rows[0]?.count);
}
