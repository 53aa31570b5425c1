import type { FastifyReply, FastifyRequest } from 'fastify';
import { JSON_TYPE, rawBody } from '../../../platform/http/index.ts';
import { toPublicId } from '../../../platform/ids/index.ts';
import type { ConsentEvidence, Ingest } from '../../leads/index.ts';
import type { PublicForm } from '../forms/form.ts';
import { toldOfInputs } from './lead-errors.ts';
import { isOwnOrigin } from './origin.ts';
import { pathOf } from './pages/index.ts';
import { readSubmission, type Submission } from './read.ts';
import { type FormLead, toLead } from './to-lead.ts';
import { formOf, type SubmissionDeps, type Underway } from './underway.ts';

const MAX_USER_AGENT = 1_000;

type Result = Awaited<ReturnType<Ingest>>;

/** Takes a submission that was admitted, and answers it. */
export function createSubmit(deps: SubmissionDeps) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const underway = request.underway as Underway;
    underway.submission = await readOrKeep(request, underway);
    if (underway.refusal) throw underway.refusal;
    // A body may take half a minute to arrive; the form may be switched off meanwhile.
    const form = await formOf(request, deps);
    underway.form = form;
    const lead = toLead(form, underway.submission, { referer: request.headers.referer });
    const result = await ingest(request, form, lead);
    const { status, lead: stored } = result;
    const note = { via: 'form', outcome: status, requestId: request.id, leadId: stored.id };
    deps.forms.note(form, note);
    return underway.page
      ? reply.redirect(next(form, request), 303)
      : answerProgram(reply, form, result);
  };

  function ingest(request: FastifyRequest, form: PublicForm, lead: FormLead): Promise<Result> {
    const source = {
      ...{ actorType: 'form' as const, actorId: toPublicId('form', form.id) },
      ...{ requestId: request.id, address: request.ip },
      consent: evidenceOf(form, lead, request.headers['user-agent']),
    };
    return deps.ingest(form.accountId, lead.input, source).catch((error) => {
      throw toldOfInputs(error, form, lead.inputs);
    });
  }

  /** The policy of a page of ours would hold each redirect that follows against its forms: from there it goes by our thanks. */
  function next(form: PublicForm, request: FastifyRequest): string {
    const isOurs = isOwnOrigin(request, deps.publicUrl);
    if (isOurs || form.redirectUrl === null) return `${pathOf(form)}/thanks`;
    // A header holds ASCII alone, and the lead is stored already.
    return new URL(form.redirectUrl).href;
  }
}

function answerProgram(reply: FastifyReply, form: PublicForm, { status, lead }: Result) {
  const redirect = form.redirectUrl === null ? {} : { redirect_url: form.redirectUrl };
  return reply
    .code(status === 'inserted' ? 201 : 200)
    .type(JSON_TYPE)
    .send(JSON.stringify({ ok: true, status, lead_id: lead.id, ...redirect }));
}

/** What was sent; where it is refused anyhow and cannot be read either, the first reason counts. */
function readOrKeep(request: FastifyRequest, { refusal }: Underway): Promise<Submission> {
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = request.headers;
  const read = readSubmission(rawBody(request), { contentType, contentEncoding });
  if (!refusal) return read;
  return read.catch(() => {
    throw refusal;
  });
}

function evidenceOf(
  form: PublicForm,
  { consent, pageUrl }: FormLead,
  userAgent: string | undefined,
): ConsentEvidence | null {
  if (!consent) return null;
  return {
    ...{ given: consent.given, text: consent.text, textVersion: consent.version },
    ...{ formId: toPublicId('form', form.id), formName: form.name, pageUrl },
    userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
  };
}
