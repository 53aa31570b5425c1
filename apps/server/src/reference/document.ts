import { components } from './components.ts';
import { operationOf } from './operation.ts';
import type { ApiRoute } from './routes.ts';
import type { JsonObject } from './schemas.ts';
import { webhooks } from './webhooks.ts';

const DESCRIPTION = `Leads in, leads out, events out. Everything belongs to the account that owns the API key. Guides, and a search through them: [/docs](/docs).

Answers can get new members in time: pass over those that you do not know.

Every failure is JSON of one form: \`{ ok: false, error, message, request_id }\`. A 4xx other than 429 is not worth a retry; after a 429 wait Retry-After; after a 5xx or a network error back off 1, 2, 4, 8 seconds, at most 5 attempts. After a 409 on a PATCH read the lead again, merge, and PATCH again.

Checks come in this order: route (404), method (405), authentication (401), rate limit (429), feature flag (404), scope (403), body and parameters (400), the record (404, 409).`;

const INFO = {
  title: 'Leadwire',
  version: '1',
  description: DESCRIPTION,
  contact: { name: 'Whoever runs this service' },
  license: { name: 'All rights reserved', identifier: 'LicenseRef-Leadwire' },
};

const TAGS = [
  { name: 'Insertion', description: 'Deliver leads and read them back.' },
  { name: 'Legacy', description: 'The older list, with offsets. For keys sent as Bearer.' },
  { name: 'Webhooks', description: 'Where events are posted to. For keys sent as Bearer.' },
  {
    name: 'Deliveries',
    description: 'What became of each event for a webhook; retries, replays, tests.',
  },
  {
    name: 'Events',
    description: 'What happened: posted to registered webhooks, and read from the feed.',
  },
];

/** The OpenAPI 3.1 document of the routes that were registered. */
export function buildDocument(routes: ApiRoute[]): JsonObject {
  return {
    openapi: '3.1.1',
    info: INFO,
    servers: [{ url: '/', description: 'This service.' }],
    tags: TAGS,
    paths: pathsOf(routes),
    webhooks: webhooks(),
    components: components(),
  };
}

/** The address of a route as the document writes it. */
export const pathOf = (url: string): string => url.replace(/:(\w+)/g, '{$1}');

function pathsOf(routes: ApiRoute[]): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const path = pathOf(route.url);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return paths;
}
