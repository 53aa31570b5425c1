import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

const CLOCK_TICKS_PER_SECOND = 100;

/** The fields of proc(5) stat after the command's name: state, ppid, … */
function statOf(pid: number | string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

const PPID = 1;
const OWN_AND_ENDED_CHILDREN = [11, 12, 13, 14];

/** CPU seconds of a process and its children, those that ended included; NaN where there is no /proc. */
export function treeCpuSeconds(pid: number): number {
  const own = statOf(pid);
  if (own === undefined) return Number.NaN;
  const ticks = OWN_AND_ENDED_CHILDREN.reduce((sum, field) => sum + Number(own[field]), 0);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => Number(stat?.[PPID]) === pid)
    .map((stat) => Number(stat?.[OWN_AND_ENDED_CHILDREN[0] as number]) + Number(stat?.[12]));
  return (ticks + children.reduce((sum, more) => sum + more, 0)) / CLOCK_TICKS_PER_SECOND;
}

/** Process id of the PostgreSQL server behind a URL, which runs on this machine. */
export async function postmasterOf(databaseUrl: string): Promise<number> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return Number(statOf(rows[0]?.pid ?? 0)?.[PPID]);
  } finally {
    await client.end();
  }
}
