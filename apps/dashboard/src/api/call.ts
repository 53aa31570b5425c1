import {
  DASHBOARD_API,
  DASHBOARD_ROUTES,
  type DashboardApi,
  type DashboardRoute,
  type DashboardRouteName,
  PERSON_HEADER,
} from '@leadwire/contract/dashboard';
import { errorOf, unreachable } from './errors.ts';

type Api<Name extends DashboardRouteName> = DashboardApi[Name];

/** What a call of a route brings: only what the route takes. */
export type CallInput<Name extends DashboardRouteName> = (keyof Api<Name>['params'] extends never
  ? { params?: never }
  : { params: Api<Name>['params'] }) &
  (Api<Name>['query'] extends undefined
    ? { query?: never }
    : { query?: Loose<Api<Name>['query']> }) &
  (Api<Name>['body'] extends undefined ? { body?: never } : { body: Loose<Api<Name>['body']> });

/** Fields that may be left out may as well be undefined: neither is sent. */
export type Loose<T> = T extends readonly unknown[] | Blob | Uint8Array
  ? T
  : T extends object
    ? { [K in keyof T]: undefined extends T[K] ? T[K] | undefined : T[K] }
    : T;

export type Answer<Name extends DashboardRouteName> = Api<Name>['answer'];

type AnyInput = {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
};

/**
 * Calls a route of the dashboard's API by its name. `as` is the person whom the page shows: in another tab somebody else may have
 * signed in since.
 * @throws ApiError for every answer that is no success, and status 0 where there was none
 */
export async function call<Name extends DashboardRouteName>(
  name: Name,
  input: CallInput<Name>,
  options: { signal?: AbortSignal; as?: string | undefined } = {},
): Promise<Answer<Name>> {
  const route: DashboardRoute = DASHBOARD_ROUTES[name];
  const { params, query, body } = input as AnyInput;
  const response = await send(addressOf(route.path, params, query), {
    method: route.method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(body === undefined || body instanceof Blob ? {} : { 'content-type': 'application/json' }),
      ...(options.as ? { [PERSON_HEADER]: options.as } : {}),
    },
    ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json().catch(() => {
    throw unreachable();
  })) as Answer<Name>;
}

async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw unreachable();
  }
}

/** The address of a route with its parameters filled in, as the page asks for it. */
export function addressOf(
  path: string,
  params: Record<string, string> = {},
  query: Record<string, unknown> = {},
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return `${DASHBOARD_API}${filled}${text ? `?${text}` : ''}`;
}
