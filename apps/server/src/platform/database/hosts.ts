import type pg from 'pg';
import { parse } from 'pg-connection-string';

export type Host = { host: string; port: number };

/** The hosts of a DATABASE_URL and which of them is believed to be the primary. */
export type Hosts = {
  all: Host[];
  /** Everything of the URL but host and port. */
  shared: pg.PoolConfig;
  current(): Host;
  /** Moves on to the next host, if `host` is still the current one. */
  moveOnFrom(host: Host): void;
};

/**
 * Reads `postgres://user:password@host1:5432,host2:5433/database?…`: libpq's form for several hosts
 * (PostgreSQL documentation, section "Connection URIs"), which node-postgres does not know.
 */
export function parseHosts(url: string): Hosts {
  const authority = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/.exec(url);
  const [, before = '', list = '', after = ''] = authority ?? [];
  const each = list.split(',').map((host) => parse(before + host + after));
  const all = each.map((one) => ({
    host: one.host || 'localhost',
    port: Number(one.port || 5432),
  }));
  const { host: _host, port: _port, ...shared } = each[0] as ReturnType<typeof parse>;
  let index = 0;
  return {
    all,
    shared: shared as pg.PoolConfig,
    current: () => all[index] as Host,
    moveOnFrom(host) {
      if (all[index] === host) index = (index + 1) % all.length;
    },
  };
}
