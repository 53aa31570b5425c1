import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FieldError } from '../../platform/errors/index.ts';
import { type Failure, reasonOf } from './redact.ts';
import type { Refused } from './refused.ts';
import type { RequestCounts } from './request-counts.ts';

/** A row of a batch that failed while the batch as a whole was taken. */
export type RefusedRow = { index: number; error: string; errors?: FieldError[] };

declare module 'fastify' {
  interface FastifyRequest {
    refusedRows: readonly RefusedRow[] | null;
  }
}

// One bad batch must not push out all else that is known of its key.
const MAX_ROWS = 20;
const ROW_STATUS: Record<string, number> = { not_found: 404, conflict: 409 };

type Deps = {
  nowMs: () => number;
  counts: RequestCounts;
  onRefused: (refused: Refused) => void;
};

/** To be told of a batch whose rows did not all succeed, before it is answered. */
export function noteRefusedRows(request: FastifyRequest, rows: readonly RefusedRow[]): void {
  if (rows.length > 0) request.refusedRows = rows;
}

/** Hears of every answered request that named a key; one that was accepted costs no more than its count. */
export function watchRequests(app: FastifyInstance, deps: Deps): void {
  app.decorateRequest('refusedRows', null);
  app.addHook('onResponse', (request, _reply, done) => {
    const { sender, failure, refusedRows } = request;
    if (!sender) return done();
    if (failure) {
      deps.counts.refused(sender, reasonOf(failure));
      if (failure.status < 500) deps.onRefused(describe(request, failure, null));
    } else {
      deps.counts.accepted(sender);
      if (refusedRows) noteRows(request, sender, refusedRows);
    }
    done();
  });

  function noteRows(
    request: FastifyRequest,
    sender: { accountId: string; id: string },
    rows: readonly RefusedRow[],
  ): void {
    for (const [place, row] of rows.entries()) {
      const failure = failureOf(row);
      deps.counts.refused(sender, reasonOf(failure));
      if (place < MAX_ROWS) deps.onRefused(describe(request, failure, row.index));
    }
  }

  function describe(request: FastifyRequest, failure: Failure, row: number | null): Refused {
    const { accountId = '', id: keyId = '' } = request.sender ?? {};
    const { status, code, message, errors } = failure;
    return {
      ...{ accountId, keyId, row, atMs: deps.nowMs() },
      ...{ requestId: request.id, method: request.method },
      address: request.presented ? request.ip : null,
      route: request.routeOptions.url ?? '',
      // Not the error itself, which holds on to more.
      failure: { status, code, message, errors },
    };
  }
}

const failureOf = ({ error, errors }: RefusedRow): Failure => ({
  status: ROW_STATUS[error] ?? 400,
  code: error,
  message: ROW_MESSAGES[error] ?? '',
  errors,
});

// A row's answer has no sentence of its own.
const ROW_MESSAGES: Record<string, string> = {
  conflict: 'The lead was changed by someone else meanwhile. Send the row again.',
  empty_body: 'The row is empty.',
};
