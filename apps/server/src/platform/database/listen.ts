import type pg from 'pg';

export type Listener = { close(): Promise<void> };

const RECONNECT_AFTER_MS = 500;

/**
 * Hears every NOTIFY of `channel` over one connection of the pool, which is made anew when it is lost. What is notified meanwhile is
 * missed: a notification wakes, it is never the only way to learn something.
 */
export function listen(
  pool: pg.Pool,
  channel: string,
  onMessage: (payload: string) => void,
): Listener {
  let isClosed = false;
  let client: pg.PoolClient | undefined;
  let retry: NodeJS.Timeout | undefined;

  async function open() {
    try {
      const connected = await pool.connect();
      client = connected;
      connected.on('notification', ({ payload }) => onMessage(payload ?? ''));
      connected.once('error', () => drop(connected));
      await connected.query(`LISTEN ${channel}`);
      if (isClosed) drop(connected);
    } catch {
      if (client) drop(client);
      else again();
    }
  }

  function drop(lost: pg.PoolClient) {
    if (client !== lost) return;
    client = undefined;
    lost.removeAllListeners('notification');
    lost.release(true);
    again();
  }

  function again() {
    clearTimeout(retry);
    if (!isClosed) retry = setTimeout(() => (opening = open()), RECONNECT_AFTER_MS);
  }

  let opening = open();
  return {
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await opening;
      if (client) drop(client);
    },
  };
}
