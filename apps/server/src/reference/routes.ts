import type { FastifyInstance } from 'fastify';
import type { Access } from '../modules/admission/index.ts';

type JsonSchema = Record<string, unknown>;

declare module 'fastify' {
  /** What a route says of itself for the reference; the rest is derived. */
  interface FastifySchema {
    operationId?: string;
    summary?: string;
    description?: string;
    tags?: readonly string[];
    /** A route that is no part of the public API. */
    hide?: boolean;
  }
}

/** One operation of the public API, as its route was registered. */
export type ApiRoute = {
  method: string;
  /** With `:name` for parameters. */
  url: string;
  access: Access;
  /** Largest body in bytes; undefined: the default. */
  bodyLimit: number | undefined;
  schema: {
    operationId: string;
    summary: string;
    description?: string;
    tags: readonly string[];
    params?: JsonSchema;
    querystring?: JsonSchema;
    body?: JsonSchema;
    response: Record<string, JsonSchema>;
  };
};

/**
 * Collects the routes of the public API that are registered from now on: all that are not hidden.
 * @throws at registration where one lacks its access or its name, so that no route goes undocumented.
 */
export function collectRoutes(app: FastifyInstance): ApiRoute[] {
  const routes: ApiRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema, config, bodyLimit }) => {
    if (schema?.hide) return;
    const access = config?.access;
    if (!access || !schema?.operationId || !schema.summary || !schema.tags || !schema.response) {
      throw new Error(`${String(method)} ${url} needs an access and a documented schema, or hide.`);
    }
    // Fastify adds HEAD to every GET.
    const methods = [method].flat().filter((name) => name !== 'HEAD');
    for (const name of methods) {
      routes.push({
        ...{ method: name, url, access, bodyLimit },
        schema: schema as ApiRoute['schema'],
      });
    }
  });
  return routes;
}
