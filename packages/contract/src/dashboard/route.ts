import type { Permission } from './roles.ts';

/**
 * A route of the dashboard's own API. `may`: `anyone` needs no session, `person` a session, a permission a session of a
 * member of `:account` whose role has it.
 */
export type DashboardRoute = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly may: 'anyone' | 'person' | Permission;
};

/** The parameters in a path: `/a/:b/c/:d` has b and d. */
export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name]: string } & PathParams<Rest>
  : Path extends `${string}:${infer Name}`
    ? { [K in Name]: string }
    : unknown;
