import type { FastifyRequest, RouteOptions } from 'fastify';
import type { AppError } from '../../../platform/errors/index.ts';
import { failureOf, sendError } from '../../../platform/http/index.ts';
import { inputsOf, ownText } from './inputs.ts';
import { OWN } from './own-inputs.ts';
import { pageUrlOf } from './page-url.ts';
import { againPage, pathOf, sendPage, unknownPage, unreadPage } from './pages/index.ts';
import type { SubmissionDeps } from './underway.ts';

/** Answers a refused submission: JSON as everywhere, and a page for a person; noted for the form's log either way. */
export function answerFailure({
  forms,
}: Pick<SubmissionDeps, 'forms'>): NonNullable<RouteOptions['errorHandler']> {
  return (error, request, reply) => {
    const failure = failureOf(error, request, reply);
    const { underway } = request;
    if (!underway || failure.status === 404) return sendError(failure, request, reply);
    const { form, page, submission } = underway;
    if (form) forms.note(form, noteOf(failure, request));
    if (!page) return sendError(failure, request, reply);
    request.failure = failure;
    reply.code(failure.status).headers(failure.headers);
    const path = form ? pathOf(form) : pathAsked(request);
    if (!submission) return sendPage(reply, unreadPage(path, failure));
    const inputs = inputsOf(submission.entries);
    const pageUrl = pageUrlOf(ownText(inputs, OWN.pageUrl), request.headers.referer);
    const again = form
      ? againPage(form, failure, { inputs, pageUrl })
      : unknownPage(path, failure, { inputs, pageUrl });
    return sendPage(reply, again);
  };
}

const noteOf = ({ code, message, errors: fields = [] }: AppError, request: FastifyRequest) => ({
  ...{ via: 'form', outcome: 'refused' as const, requestId: request.id },
  refusal: { code, message, fields },
});

const pathAsked = ({ params }: FastifyRequest): string =>
  `/forms/${encodeURIComponent((params as { form_id: string }).form_id)}`;
