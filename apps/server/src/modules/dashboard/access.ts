import {
  type DashboardRoute,
  may,
  PERSON_HEADER,
  type Permission,
  type Role,
} from '@leadwire/contract/dashboard';
import type { FastifyRequest } from 'fastify';
import { notFound } from '../../platform/errors/index.ts';
import { anotherPerson, crossSiteRefused, roleForbids, sessionRequired } from './errors.ts';
import type { Person } from './request.ts';

/** Who may come in: asked of every request of the dashboard's API before its body is looked at. */
export type AccessDeps = {
  /** The person whose session the cookies of a request are; null where there is none. */
  personOf(headers: Headers): Promise<Person | null>;
  /** Null where the person is no member of the account, or there is no such account. */
  roleOf(accountId: string, personId: string): Promise<Role | null>;
  /** Origins besides the address that was asked, e.g. the public one behind a proxy. */
  trustedOrigins: readonly string[];
  /** Whether people open the dashboard over https: cookies are then sent over nothing else. */
  isHttps: boolean;
};

export type Asker = { person: Person | null; accountId: string | null; role: Role | null };

/** @throws AppError 403 cross_site_refused, 401, 404 for an account that the person is no member of, 403 for their role,
 * 409 another_person where the page shows somebody else */
export async function letIn(
  request: FastifyRequest,
  route: DashboardRoute,
  deps: AccessDeps,
): Promise<Asker> {
  if (route.method !== 'GET') refuseOtherSites(request, deps.trustedOrigins);
  if (route.may === 'anyone') return { person: null, accountId: null, role: null };
  const person = await deps.personOf(headersOf(request));
  if (!person) throw sessionRequired();
  request.logFields = { person: person.id };
  const shown = request.headers[PERSON_HEADER];
  if (shown !== undefined && shown !== person.id) throw anotherPerson();
  if (route.may === 'person') return { person, accountId: null, role: null };
  return { person, ...(await memberOf(request, person, route.may, deps)) };
}

async function memberOf(
  request: FastifyRequest,
  person: Person,
  permission: Permission,
  deps: AccessDeps,
) {
  const { account } = request.params as { account: string };
  // The store takes a UUID in capitals for the same; limits and caches by account would take it for another account.
  const accountId = account.toLowerCase();
  const role = await deps.roleOf(accountId, person.id);
  if (!role) throw notFound();
  if (!may(role, permission)) throw roleForbids(role, permission);
  return { accountId, role };
}

/**
 * A page of another site can have a browser send our cookies along, but not choose these headers (Fetch standard, sections
 * "Origin header" and "Sec-Fetch-Site"). A client that sends neither is no browser.
 */
function refuseOtherSites({ headers }: FastifyRequest, trusted: readonly string[]): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw crossSiteRefused();
  const { origin, host } = headers;
  if (origin === undefined) return;
  if (trusted.includes(origin)) return;
  if (!URL.canParse(origin) || new URL(origin).host !== host) throw crossSiteRefused();
}

/** Fastify's headers as the Fetch standard's. */
export function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}
