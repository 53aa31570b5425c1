import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, notFound } from '../../../platform/errors/index.ts';
import {
  failureOf,
  JSON_TYPE,
  parseJsonBodyKeepingDigits,
  rawBody,
  sendError,
} from '../../../platform/http/index.ts';
import { toPublicId } from '../../../platform/ids/index.ts';
import type { Admission } from '../../admission/index.ts';
import type { KeyVerifier } from '../../api-keys/index.ts';
import type { Ingest } from '../../leads/index.ts';
import type { FailedAuthLimit } from '../../rate-limits/index.ts';
import { hashPlatformKey, type PublicForm, type PublicForms } from '../forms/index.ts';
import type { PlatformAdapter } from './adapter.ts';
import { toLead } from './to-lead.ts';

export type PlatformDeps = {
  forms: PublicForms;
  verifier: Pick<KeyVerifier, 'findById'>;
  failedAuth: FailedAuthLimit;
  ingest: Ingest;
};

const NO_HASH = Buffer.alloc(32);

/**
 * POST /forms/:form_id/<platform>: form (404), the platform's key (401), the limit of the form's API key (429), body (400). Answers 200 `{}`.
 * What becomes of it is in the form's log; of test leads it is all that is kept.
 */
export function platformRoute(
  app: FastifyInstance,
  adapter: PlatformAdapter,
  { admission, ...deps }: PlatformDeps & { admission: Admission },
): void {
  const formOf = async (request: FastifyRequest): Promise<PublicForm> => {
    const form = await deps.forms.find((request.params as { form_id: string }).form_id);
    if (!form) throw notFound();
    return form;
  };

  const note = async (request: FastifyRequest, about: object) => {
    const form = await formOf(request);
    const shared = { via: adapter.name, requestId: request.id };
    deps.forms.note(form, { ...shared, ...about } as Parameters<PublicForms['note']>[1]);
  };

  function checkKey(request: FastifyRequest, form: PublicForm, body: unknown): void {
    const expected = adapter.keyHashOf(form);
    const sent = hashPlatformKey(adapter.keyOf(body) ?? '');
    // Compared in any case: no difference in time tells whether the form has a key.
    const isEqual = timingSafeEqual(sent, expected ?? NO_HASH);
    if (isEqual && expected !== null) return;
    const { allowed, resetSeconds } = deps.failedAuth.record(request.ip);
    throw allowed ? wrongKey(adapter) : tooManyWrong(resetSeconds);
  }

  async function take(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // Again, once the body is here: the form may have been switched off meanwhile.
    const form = await formOf(request);
    const body = readBody(request);
    checkKey(request, form, body);
    const key = await deps.verifier.findById(form.accountId, form.keyId);
    if (!key) throw notFound();
    admission.actFor(request, key);
    await admission.charge(request, reply, 1);
    const told = adapter.read(body);
    if (told.isTest) return note(request, { outcome: 'test', ...tried(told, form, adapter) });
    const input = toLead(told, form, adapter.source);
    const { status, lead } = await deps.ingest(form.accountId, input, {
      ...{ actorType: 'form', actorId: toPublicId('form', form.id) },
      ...{ requestId: request.id, address: request.ip },
    });
    await note(request, { outcome: status, leadId: lead.id });
  }

  app.post(`/forms/:form_id/${adapter.name}`, {
    schema: { hide: true },
    onRequest: async (request) => void (await formOf(request)),
    async errorHandler(error, request, reply) {
      const failure = failureOf(error, request, reply);
      const { status, code, message, errors: fields = [] } = failure;
      // Of strangers the log says that they had no key, and nothing when they go on trying.
      const isToldOf = status === 401 || request.sender !== null;
      if (status !== 404 && isToldOf) {
        const refusal = { code, message, fields };
        // Whoever looks for the form at that moment is answered all the same.
        await note(request, { outcome: 'refused', refusal }).catch(() => undefined);
      }
      return sendError(failure, request, reply);
    },
    async handler(request, reply) {
      await take(request, reply);
      return reply.type(JSON_TYPE).send('{}');
    },
  });
}

/** What is no JSON holds no key: that is what it is refused for. */
function readBody(request: FastifyRequest): unknown {
  try {
    return parseJsonBodyKeepingDigits(rawBody(request), request.headers['content-encoding']);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** A test succeeds whatever it holds; what a lead like it would be refused for is in the log. */
function tried(
  told: ReturnType<PlatformAdapter['read']>,
  form: PublicForm,
  { source }: PlatformAdapter,
) {
  try {
    return { test: toLead(told, form, source) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, errors: fields = [] } = error;
    const test = Object.fromEntries([
      ...told.mapped.map(({ to, raw }) => [to, raw]),
      ...told.others,
    ]);
    return { test, refusal: { code, message, fields } };
  }
}

const wrongKey = ({ name, keyName }: PlatformAdapter) =>
  new AppError({
    status: 401,
    code: `invalid_${keyName}`,
    message: `${keyName} is missing or not the one that the form shows for ${name}.`,
    headers: { 'www-authenticate': keyName },
  });

const tooManyWrong = (seconds: number) =>
  new AppError({
    status: 429,
    code: 'rate_limited',
    message: 'Too many requests from this address failed authentication.',
    headers: { 'retry-after': String(seconds) },
  });
