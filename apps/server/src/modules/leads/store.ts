import type { Database } from '../../platform/database/index.ts';
import { isUnavailable } from '../../platform/database/index.ts';
import { createGroup, type Group } from '../../platform/grouping/index.ts';
import type { StoredLead } from './lead.ts';
import type { LeadWrite } from './repository/columns.ts';
import {
  findLeadsByExternalId,
  findLeadsById,
  findLeadsByTuple,
  type LeadReference,
  type LeadTuple,
} from './repository/find.ts';
import { type InsertOutcome, insertLeads } from './repository/insert.ts';
import { type LeadUpdate, updateLeads } from './repository/update.ts';

/** Single reads and writes of leads; those that arrive together share a statement. */
export type LeadStore = {
  insert(write: LeadWrite): Promise<InsertOutcome>;
  /** False where the lead's version had moved on. */
  update(update: LeadUpdate): Promise<boolean>;
  findById(reference: LeadReference): Promise<StoredLead | null>;
  findByExternalId(reference: LeadReference): Promise<StoredLead | null>;
  findByTuple(tuple: LeadTuple): Promise<StoredLead | null>;
  /** Resolves when nothing waits to be written or read. */
  idle(): Promise<void>;
};

type Deps = {
  database: Database;
  observeBatch: (statement: string, rows: number) => void;
  /** After a commit that wrote leads of the account, and events with them. */
  onWritten: (accountId: string) => void;
  /** Statements of each kind that may run at a time. */
  maxInFlight?: number;
};

// 256 rows a statement is where throughput levels off (ADR 0004); more in flight only wait for each other's disk flush.
const WRITES = { maxItems: 256, maxInFlight: 2, maxWaiting: 20_000 };
const READS = { maxItems: 256, maxInFlight: 2, maxWaiting: 20_000 };

export function createLeadStore({
  database,
  observeBatch,
  onWritten,
  maxInFlight,
}: Deps): LeadStore {
  const group = <Item, Result>(
    statement: string,
    run: (database: Database, items: Item[]) => Promise<Result[]>,
    limits: typeof WRITES,
    keys: Pick<Parameters<typeof createGroup<Item, Result>>[0], 'keyOf' | 'share'> = {},
  ): Group<Item, Result> =>
    createGroup<Item, Result>({
      ...limits,
      ...(maxInFlight === undefined ? {} : { maxInFlight }),
      run(items) {
        observeBatch(statement, items.length);
        return run(database, items);
      },
      failsWhole: isUnavailable,
      ...keys,
    });

  /** The same for a statement that writes. */
  const written =
    <Item extends LeadWrite, Result>(write: (on: Database, items: Item[]) => Promise<Result[]>) =>
    async (on: Database, items: Item[]): Promise<Result[]> => {
      const results = await write(on, items);
      for (const account of new Set(items.map(({ lead }) => lead.account_id))) onWritten(account);
      return results;
    };

  const inserts = group('insert', written(insertLeads), WRITES, {
    keyOf: tupleOf,
    share: (first: LeadWrite, outcome: InsertOutcome): InsertOutcome =>
      outcome.kind === 'inserted'
        ? { kind: 'exists', stored: { lead: first.lead, version: 1 } }
        : outcome,
  });
  const updates = group('update', written(updateLeads), WRITES, {
    // Of several changes of one version one can win; the others have lost without asking the store.
    keyOf: (update: LeadUpdate) => `${update.lead.id}/${update.expectedVersion}`,
    share: () => false,
  });
  const readsById = group('find_by_id', findLeadsById, READS);
  const readsByExternalId = group('find_by_external_id', findLeadsByExternalId, READS);
  const readsByTuple = group('find_by_tuple', findLeadsByTuple, READS);
  const groups = [inserts, updates, readsById, readsByExternalId, readsByTuple];
  return {
    insert: (write) => inserts.add(write),
    update: (update) => updates.add(update),
    findById: (reference) => readsById.add(reference),
    findByExternalId: (reference) => readsByExternalId.add(reference),
    findByTuple: (tuple) => readsByTuple.add(tuple),
    async idle() {
      await Promise.all(groups.map((one) => one.idle()));
    },
  };
}

const tupleOf = ({ lead }: LeadWrite): string =>
  `${lead.account_id}/${lead.campaign_id}/${lead.external_lead_id}`;
