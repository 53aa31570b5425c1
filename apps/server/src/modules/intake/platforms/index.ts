import type { FastifyInstance } from 'fastify';
import type { Admission } from '../../admission/index.ts';
import type { PlatformAdapter } from './adapter.ts';
import { google } from './google.ts';
import { type PlatformDeps, platformRoute } from './route.ts';

/** Every platform that sends leads. A next one is one file more and a line here. */
export const ADAPTERS: readonly PlatformAdapter[] = [google];

export type Platforms = ReturnType<typeof createPlatforms>;

/** Leads that advertising platforms send for a form. */
export function createPlatforms(deps: PlatformDeps) {
  return {
    registerRoutes(app: FastifyInstance, { admission }: { admission: Admission }): void {
      for (const adapter of ADAPTERS) platformRoute(app, adapter, { ...deps, admission });
    },
  };
}
