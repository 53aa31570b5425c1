import { isLeadAnswer, isPageOf } from './answer-shape.ts';
import type { ContentField } from './content.ts';
import type { Completed } from './errors.ts';
import type { Budget } from './exchange.ts';
import { LEADS, leadPath } from './find-lead.ts';
import { batchSender, insertMany } from './insert-many.ts';
import type { CallOptions } from './options.ts';
import { pagesOf } from './pages.ts';
import { type MakeChanges, type PatchedLead, patchWith, type ReadLead } from './patch-with.ts';
import { type Reconciliation, reconcile } from './reconcile.ts';
import type { Transport } from './transport.ts';
import type {
  AuditRecord,
  HistoryAnswer,
  HistoryQuery,
  InsertAnswer,
  Lead,
  LeadAnswer,
  LeadInput,
  LeadListAnswer,
  LeadListQuery,
  LeadPatch,
  PatchAnswer,
  ValidationAnswer,
} from './types.generated.ts';

/** One page of leads; `nextCursor` is null on the last one. */
export type LeadPage = { leads: Lead[]; nextCursor: string | null };

/** One page of a lead's audit records; `nextCursor` is null on the last one. */
export type HistoryPage = { history: AuditRecord[]; nextCursor: number | null };

/** The insertion API. */
export type Leads = {
  /**
   * Creates a lead, or changes the one that has its campaign_id and external_lead_id: fields that are left out stay. The same lead
   * again is `deduped`, so whatever failed can be sent again.
   */
  insert(lead: LeadInput, options?: CallOptions & { validateOnly?: false }): Promise<InsertAnswer>;
  /** Every check and what would follow; nothing is written. */
  insert(lead: LeadInput, options: CallOptions & { validateOnly: true }): Promise<ValidationAnswer>;
  /** One or the other. */
  insert(
    lead: LeadInput,
    options: CallOptions & { validateOnly: boolean },
  ): Promise<InsertAnswer | ValidationAnswer>;
  /**
   * The same for any number of leads, in batches of at most 1000 rows and 5 MiB, one after the other. A row that fails has `error` in
   * its result and stops no other. A batch that fails throws its error with `completed`: sending everything again does no harm.
   * Without deadlineMs in the options each batch has the client's deadline; with it, all of them together have that.
   */
  insertMany(
    leads: readonly LeadInput[],
    options?: CallOptions & { validateOnly?: boolean },
  ): Promise<Completed>;
  /** By the lead's UUID or your own id; of several leads with one external id, the newest. @throws NotFoundError */
  get(id: string, options?: CallOptions): Promise<ReadLead>;
  /**
   * Changes a lead: fields that are left out stay, null clears, custom_fields and address are merged (RFC 7396).
   * @throws ConflictError where somebody else wrote meanwhile, or since `ifMatch` was read
   */
  patch(
    id: string,
    changes: LeadPatch,
    options?: CallOptions & { ifMatch?: string },
  ): Promise<PatchedLead>;
  /**
   * Changes a lead by what it is: reads it, asks `changes` what to change, writes that only if the lead is still the one that was
   * read, and starts again where it is not, at most five times. {} writes nothing. `changes` may be called more than once, also
   * after a write whose answer was lost, and then sees that write.
   */
  patchWith(id: string, changes: MakeChanges, options?: CallOptions): Promise<PatchedLead>;
  /** Pages of leads, newest first. Each page has the deadline of a call for itself. */
  list(query?: LeadListQuery, options?: CallOptions): AsyncIterable<LeadPage>;
  /** The same, lead by lead. */
  each(query?: LeadListQuery, options?: CallOptions): AsyncIterable<Lead>;
  /** Pages of a lead's audit records, newest first. */
  history(id: string, query?: HistoryQuery, options?: CallOptions): AsyncIterable<HistoryPage>;
  /**
   * Which of your leads the account has with the same content, with other content, or not at all; results in order. Hand over
   * leads in full: a field that is left out counts as empty. `fields` narrows what is compared; default: all but status.
   */
  reconcile(
    leads: readonly LeadInput[],
    options?: CallOptions & { fields?: readonly ContentField[] },
  ): Promise<Reconciliation>;
};

export function createLeads(transport: Transport): Leads {
  const list = (query: LeadListQuery = {}, options?: CallOptions) =>
    listPages(transport, query, options);
  return {
    ...writes(transport),
    ...oneLead(transport),
    list,
    each: (query, options) => ({
      async *[Symbol.asyncIterator]() {
        for await (const { leads } of list(query, options)) yield* leads;
      },
    }),
  };
}

function writes(transport: Transport): Pick<Leads, 'insert' | 'insertMany' | 'reconcile'> {
  const insert = async (
    body: LeadInput,
    { validateOnly = false, ...options }: CallOptions & { validateOnly?: boolean } = {},
  ) => {
    const query = validateOnly ? { validate_only: true } : {};
    const isAnswer = isLeadAnswer;
    const request = { method: 'POST', path: LEADS, query, body, isAnswer } as const;
    return (await transport.request<never>(request, transport.budget(options))).body;
  };
  return {
    insert,
    insertMany: async (leads, { validateOnly = false, ...options } = {}) =>
      insertMany(batchSender(transport, budgets(transport, options), validateOnly), leads),
    reconcile: async (leads, { fields, ...options } = {}) =>
      reconcile(transport, budgets(transport, options), leads, fields),
  };
}

/** The time of each batch: one for all of them where the call has a deadline of its own. */
function budgets(transport: Transport, options: CallOptions): () => Budget {
  const first = transport.budget(options);
  return () => (options.deadlineMs === undefined ? transport.budget(options) : first);
}

function oneLead(transport: Transport): Pick<Leads, 'get' | 'patch' | 'patchWith' | 'history'> {
  const read = async (id: string, budget: Budget): Promise<ReadLead> => {
    const path = await leadPath(transport, id, budget);
    const request = { method: 'GET', path, isAnswer: isLeadAnswer } as const;
    const { body, etag } = await transport.request<LeadAnswer>(request, budget);
    return { lead: body.lead, etag };
  };
  const write = async (id: string, body: LeadPatch, budget: Budget, ifMatch?: string) => {
    const path = await leadPath(transport, id, budget);
    const request = { method: 'PATCH', path, body, ifMatch, isAnswer: isLeadAnswer } as const;
    const answer = await transport.request<PatchAnswer>(request, budget);
    const { lead, changed } = answer.body;
    return { lead, changed, etag: answer.etag };
  };
  return {
    get: async (id, options) => read(id, transport.budget(options)),
    patch: async (id, changes, { ifMatch, ...options } = {}) =>
      write(id, changes, transport.budget(options), ifMatch),
    async patchWith(id, changes, options) {
      const budget = transport.budget(options);
      return patchWith(
        () => read(id, budget),
        (lead, patch, ifMatch) => write(lead.id, patch, budget, ifMatch),
        changes,
      );
    },
    history: (id, query, options) => historyPages(transport, id, query, options),
  };
}

function listPages(
  transport: Transport,
  query: LeadListQuery,
  options?: CallOptions,
): AsyncIterable<LeadPage> {
  return pagesOf<LeadPage>(
    async (behind) => {
      const cursor = behind ?? query.cursor;
      const isAnswer = isPageOf('leads');
      const request = {
        method: 'GET',
        path: LEADS,
        query: { ...query, cursor },
        isAnswer,
      } as const;
      const { body } = await transport.request<LeadListAnswer>(request, transport.budget(options));
      return { leads: body.leads, nextCursor: body.nextCursor };
    },
    ({ nextCursor }) => nextCursor,
  );
}

function historyPages(
  transport: Transport,
  id: string,
  query: HistoryQuery = {},
  options?: CallOptions,
): AsyncIterable<HistoryPage> {
  return pagesOf<HistoryPage, number>(
    async (behind) => {
      const budget = transport.budget(options);
      const cursor = behind ?? query.cursor;
      const path = `${await leadPath(transport, id, budget)}/history`;
      const isAnswer = isPageOf('history');
      const request = { method: 'GET', path, query: { ...query, cursor }, isAnswer } as const;
      const { body } = await transport.request<HistoryAnswer>(request, budget);
      return { history: body.history, nextCursor: numberOf(body.nextCursor) };
    },
    ({ nextCursor }) => nextCursor,
  );
}

const numberOf = (cursor: string | null): number | null =>
  cursor === null ? null : Number(cursor);
