import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Admission } from '../../admission/index.ts';
import { createAddressLimit } from './address-limit.ts';
import { registerSubmission } from './routes.ts';
import type { SubmissionDeps } from './underway.ts';

export type Submissions = ReturnType<typeof createSubmissions>;

type Deps = Omit<SubmissionDeps, 'addressLimit' | 'newSubmissionId'> & {
  monotonicMs: () => number;
};

/** Forms as people send them, from pages anywhere. */
export function createSubmissions({ monotonicMs, ...deps }: Deps) {
  const addressLimit = createAddressLimit(monotonicMs);
  const newSubmissionId = () => randomBytes(16).toString('hex');
  return {
    registerRoutes: (app: FastifyInstance, { admission }: { admission: Admission }): void =>
      registerSubmission(app, { ...deps, addressLimit, newSubmissionId }, admission),
  };
}
