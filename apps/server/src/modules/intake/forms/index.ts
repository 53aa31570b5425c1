import type { Form, FormLogEntry } from '@leadwire/contract/dashboard';
import type { FastifyInstance } from 'fastify';
import { embeddingOf, embedRoute } from './embed.ts';
import type { PublicForms } from './form.ts';
import { createFormLog, type FormLogDeps } from './log.ts';
import { createLookup, type LookupDeps } from './lookup.ts';
import { createManage, idOf, type ManageDeps } from './manage.ts';

export type { PublicForm, PublicForms, SubmissionNote } from './form.ts';
export { hashPlatformKey } from './manage.ts';
export { moveKey as moveFormsOfKey } from './repository/managed.ts';

export type Forms = ReturnType<typeof createForms>;

type Deps = ManageDeps & LookupDeps & FormLogDeps & { embedScript: URL };

/** Forms: made and changed on the dashboard, found by what is sent to them, and what became of that. */
export function createForms(deps: Deps) {
  const manage = createManage(deps);
  const log = createFormLog(deps);
  const forPublic: PublicForms = { find: createLookup(deps), note: log.note };
  return {
    manage,
    forPublic,

    /** @throws AppError 404 where the account has no such form */
    async embedding(accountId: string, publicId: string) {
      return embeddingOf(await manage.get(accountId, publicId), deps.publicUrl);
    },

    /** Newest first. @throws AppError 404 where the account has no such form */
    async log(accountId: string, publicId: string): Promise<FormLogEntry[]> {
      const form: Form = await manage.get(accountId, publicId);
      return log.list(accountId, idOf(form.id));
    },

    registerRoutes: (app: FastifyInstance): void => embedRoute(app, { file: deps.embedScript }),
    /** Writes what waits. */
    close: () => log.close(),
  };
}
