import pg from 'pg';
import { NotPrimaryError } from './failures.ts';
import type { Hosts } from './hosts.ts';

const STATEMENT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 2_000;
// A cached plan outlives what it was made for: one made while leads were few searched a campaign of 400,000 for one
// tuple, and deduplicated 170 posts a second instead of thousands. Planning anew costs a batch 0.2 ms.
const SESSION = '-c plan_cache_mode=force_custom_plan -c TimeZone=UTC -c DateStyle=ISO';

// A commit is acknowledged before it is on disk.
const LAZY = '-c synchronous_commit=off';

type Logger = { warn(details: object, message: string): void };

/** A pool that connects to the one of the hosts that takes writes. Times, and json, come as PostgreSQL's text. */
export function createPool(
  hosts: Hosts,
  { size, log, commitsMayBeLost }: { size: number; log: Logger; commitsMayBeLost: boolean },
): pg.Pool {
  const pool = new pg.Pool({
    ...hosts.shared,
    max: size,
    Client: primaryClient(
      hosts,
      commitsMayBeLost ? `${SESSION} ${LAZY}` : SESSION,
    ) as unknown as new () => pg.ClientBase,
    application_name: 'leadwire',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    // A host that vanished without a word is noticed, if late.
    keepAlive: true,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    types: { getTypeParser: textForTimesAndJson },
  } as pg.PoolConfig);
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  pool.on('connect', (client) => {
    client.on('notice', (notice) => refuseUnreplicated(client, notice));
  });
  return pool;
}

const TEXT_TYPES = new Set([114, 3802, 1114, 1184]);

function textForTimesAndJson(oid: number, format?: 'text' | 'binary') {
  if (TEXT_TYPES.has(oid)) return (value: string) => value;
  return pg.types.getTypeParser(oid, format as 'text');
}

/**
 * With synchronous replication a commit that was not confirmed by a standby is announced by a mere warning.
 * Cutting the connection makes it a failure, which is retried, instead of an acknowledged lead that may vanish.
 */
function refuseUnreplicated(client: pg.ClientBase, notice: { message?: string | undefined }) {
  if (!notice.message?.includes('canceling wait for synchronous replication')) return;
  (
    client as unknown as { connection: { stream: { destroy(): void } } }
  ).connection.stream.destroy();
}

type ConnectCallback = (error: Error | null) => void;

function primaryClient(hosts: Hosts, session: string) {
  return class PrimaryClient extends pg.Client {
    constructor(config: pg.ClientConfig) {
      // The pool hides the password from a spread of its options.
      // Options of the URL hold too, where they are not ours: of two settings the last wins.
      const options = [hosts.shared.options, session].join(' ').trim();
      super({ ...config, ...(hosts.shared as pg.ClientConfig), ...hosts.current(), options });
      // One that is lost between two statements, of a transaction or of connecting itself, would end the process; the
      // next statement reports it.
      this.on('error', () => undefined);
    }

    override connect(): Promise<this>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      const connected = this.connectToPrimary();
      if (!callback) return connected.then(() => this) as Promise<this>;
      const done = callback as ConnectCallback;
      connected.then(
        () => done(null),
        (error) => done(error),
      );
    }

    async connectToPrimary(): Promise<void> {
      const host = hosts.current();
      try {
        await super.connect();
        if (hosts.all.length > 1) await this.refuseStandby();
      } catch (error) {
        hosts.moveOnFrom(host);
        throw error;
      }
    }

    async refuseStandby(): Promise<void> {
      const { rows } = await this.query('SELECT pg_is_in_recovery() AS standby');
      if (!rows[0]?.standby) return;
      await this.end();
      throw new NotPrimaryError('This PostgreSQL server is a standby.');
    }
  };
}
