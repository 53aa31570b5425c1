import type { FastifyInstance } from 'fastify';
import type { Admission } from '../../admission/index.ts';
import { answerFailure } from './failure.ts';
import { admitOrigin, answerPreflight } from './origin.ts';
import { formPage, sendPage, thanksPage } from './pages/index.ts';
import { createSubmit } from './submit.ts';
import { createAdmit, formOf, type SubmissionDeps } from './underway.ts';

const URL_OF_FORM = '/forms/:form_id';

/**
 * Where pages send their forms: POST takes a submission, OPTIONS a preflight, GET shows the form as a page. Checks in the order of contract
 * section 5, with the form for the key that it stands for: form (404), origin (403), limits of the address and of the key (429),
 * body (400). A person gets a page that keeps what they typed, a program JSON.
 */
export function registerSubmission(
  app: FastifyInstance,
  deps: SubmissionDeps,
  admission: Admission,
): void {
  app.decorateRequest('underway', null);
  const shared = { schema: { hide: true }, errorHandler: answerFailure(deps) } as const;
  app.post(URL_OF_FORM, {
    ...shared,
    onRequest: createAdmit(deps, admission),
    handler: createSubmit(deps),
  });
  app.options(URL_OF_FORM, {
    ...shared,
    async handler(request, reply) {
      const { allowedOrigins: allowed } = await formOf(request, deps);
      admitOrigin(request, reply, { allowed, publicUrl: deps.publicUrl });
      return answerPreflight(reply);
    },
  });
  app.get(URL_OF_FORM, {
    ...shared,
    handler: async (request, reply) =>
      sendPage(reply, formPage(await formOf(request, deps), deps.newSubmissionId())),
  });
  app.get(`${URL_OF_FORM}/thanks`, {
    ...shared,
    handler: async (request, reply) => sendPage(reply, thanksPage(await formOf(request, deps))),
  });
}
