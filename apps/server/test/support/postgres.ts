import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/platform/embedded-postgres/index.ts';
import { startTcpProxy } from './tcp-proxy.ts';

export type PrivatePostgres = {
  /** DATABASE_URL of an empty database and an encryption key; the address survives a stop. */
  env: { DATABASE_URL: string; LEADWIRE_ENCRYPTION_KEY: string };
  // biome-ignore lint/suspicious/noExplicitAny: rows are known by asserting on them.
  query(sql: string, values?: unknown[]): Promise<any[]>;
  /** Stops the server, and keeps its data. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** SIGKILL to the postmaster; it is started again at the same address by itself. */
  kill(): void;
  /** Ends it for good. */
  close(): Promise<void>;
};

const log = { info() {}, warn() {}, error: console.error, debug() {} };

/**
 * A PostgreSQL of a test file's own, for tests that take it away. Only a durable one keeps every commit when it is killed.
 */
export async function startPrivatePostgres({ durable = false } = {}): Promise<PrivatePostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'leadwire-private-postgres-'));
  const begin = () => startEmbeddedPostgres({ dataDir, durable, log });
  let running: EmbeddedPostgres | null = await begin();
  const portOf = (postgres: EmbeddedPostgres) => Number(new URL(postgres.url).port);
  const proxy = await startTcpProxy(portOf(running));
  const url = new URL(running.url);
  url.port = String(proxy.port);
  const stop = async () => {
    proxy.pointTo(null);
    await running?.stop();
    running = null;
  };
  return {
    env: {
      DATABASE_URL: url.href,
      LEADWIRE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    },
    async query(sql, values) {
      const client = new pg.Client(url.href);
      await client.connect();
      try {
        return (await client.query(sql, values)).rows;
      } finally {
        await client.end();
      }
    },
    stop,
    async start() {
      running ??= await begin();
      proxy.pointTo(portOf(running));
    },
    kill() {
      if (running) process.kill(running.pid(), 'SIGKILL');
    },
    async close() {
      await stop();
      await proxy.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
