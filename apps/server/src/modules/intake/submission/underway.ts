import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, notFound } from '../../../platform/errors/index.ts';
import { toPublicId } from '../../../platform/ids/index.ts';
import type { Admission } from '../../admission/index.ts';
import type { VerifiedKey } from '../../api-keys/index.ts';
import type { Ingest } from '../../leads/index.ts';
import { clientNetwork } from '../../rate-limits/index.ts';
import type { PublicForm, PublicForms } from '../forms/form.ts';
import { wantsPage } from './accept.ts';
import type { AddressLimit } from './address-limit.ts';
import { tooManyFromAddress } from './errors.ts';
import { admitOrigin } from './origin.ts';
import type { Submission } from './read.ts';

/** A submission on its way. */
export type Underway = {
  /** Null where the store could not be asked for it. */
  form: PublicForm | null;
  page: boolean;
  /** Why it will be refused, once what was typed is here and can be kept. */
  refusal: unknown;
  submission: Submission | null;
};

declare module 'fastify' {
  interface FastifyRequest {
    underway: Underway | null;
  }
}

export type SubmissionDeps = {
  forms: PublicForms;
  keyOf(accountId: string, keyId: string): VerifiedKey | null | Promise<VerifiedKey | null>;
  ingest: Ingest;
  addressLimit: AddressLimit;
  newSubmissionId: () => string;
  /** Where people open the dashboard: pages of ours may send every form. */
  publicUrl: string;
  /** One address sent a form too often. */
  onRateLimited: () => void;
};

/** @throws AppError 404 for a form that there is not, or that takes nothing */
export async function formOf(
  request: FastifyRequest,
  { forms }: Pick<SubmissionDeps, 'forms'>,
): Promise<PublicForm> {
  const form = await forms.find((request.params as { form_id: string }).form_id);
  if (!form) throw notFound();
  return form;
}

/** Looks at the head of a submission. What refuses one of a person is kept until the body is here; all else is refused at once. */
export function createAdmit(deps: SubmissionDeps, admission: Admission) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const page = wantsPage(request.headers.accept);
    const underway: Underway = { form: null, page, refusal: null, submission: null };
    request.underway = underway;
    try {
      underway.form = await formOf(request, deps);
      await letIn(request, reply, underway.form);
    } catch (error) {
      const isMissing = error instanceof AppError && error.status === 404;
      if (!page || isMissing) throw error;
      underway.refusal = error;
    }
  };

  async function letIn(request: FastifyRequest, reply: FastifyReply, form: PublicForm) {
    const key = await deps.keyOf(form.accountId, form.keyId);
    if (!key) throw notFound();
    admission.actFor(request, key);
    request.logFields = { ...request.logFields, form: toPublicId('form', form.id) };
    admitOrigin(request, reply, { allowed: form.allowedOrigins, publicUrl: deps.publicUrl });
    refuseBusyAddress(deps, form, request.ip);
    await admission.charge(request, reply, 1);
  }
}

function refuseBusyAddress(
  { addressLimit, onRateLimited }: SubmissionDeps,
  { id, perAddressAMinute }: PublicForm,
  address: string,
): void {
  const refused = addressLimit.take(`${id}/${clientNetwork(address)}`, perAddressAMinute);
  if (!refused) return;
  onRateLimited();
  throw tooManyFromAddress(refused);
}
