import type { Lead } from '@leadwire/contract';
import { parseJson } from '../../platform/json/index.ts';
import { createIngest, type Ingest, type IngestDeps } from './ingest.ts';
import type { LeadWrite } from './repository/columns.ts';
import type { LeadTuple } from './repository/find.ts';
import type { LeadStore } from './store.ts';

/** What the rows of one request would do, with nothing written. */
export type PreviewSession = {
  /** Answers as `Ingest` does; later calls see the lead as an earlier one would have left it. */
  ingest: Ingest;
  /** The lead's id, null where the lead is one that this session would make. */
  knownId(leadId: string): string | null;
};

export type Preview = () => PreviewSession;

type Deps = Pick<IngestDeps, 'campaigns' | 'clock' | 'newId'> & {
  store: Pick<LeadStore, 'findByTuple'>;
};

/** Makes a session for each request: the real ingest, above a store that keeps what it is told to itself. */
export function createPreview({ store, ...deps }: Deps): Preview {
  return () => {
    const overlay = createOverlay(store);
    return {
      ingest: createIngest({ ...deps, store: overlay, countOutcome: () => undefined }),
      knownId: (leadId) => (overlay.isNew(leadId) ? null : leadId),
    };
  };
}

/** A store whose writes nobody else sees. Calls for one tuple come one after the other, so that no write collides. */
function createOverlay(store: Pick<LeadStore, 'findByTuple'>) {
  // As text: a thousand large leads as objects would take twice the memory until the answer.
  const written = new Map<string, { json: string; version: number }>();
  const newIds = new Set<string>();
  const keep = ({ lead, json }: LeadWrite, version: number) => {
    const { campaign_id: campaignId, external_lead_id: externalLeadId } = lead;
    written.set(keyOf({ campaignId, externalLeadId }), { json, version });
  };
  const findByTuple: LeadStore['findByTuple'] = async (tuple) => {
    const before = written.get(keyOf(tuple));
    if (!before) return store.findByTuple(tuple);
    return { lead: parseJson(before.json) as Lead, version: before.version };
  };
  return {
    findByTuple,
    async insert(write: LeadWrite): ReturnType<LeadStore['insert']> {
      const { account_id, campaign_id, external_lead_id } = write.lead;
      const stored = await findByTuple({
        ...{ accountId: account_id, campaignId: campaign_id, externalLeadId: external_lead_id },
      });
      if (stored) return { kind: 'exists', stored };
      keep(write, 1);
      newIds.add(write.lead.id);
      return { kind: 'inserted' };
    },
    async update(update: Parameters<LeadStore['update']>[0]): Promise<boolean> {
      keep(update, update.expectedVersion + 1);
      return true;
    },
    isNew: (leadId: string): boolean => newIds.has(leadId),
  };
}

const keyOf = ({ campaignId, externalLeadId }: Omit<LeadTuple, 'accountId'>): string =>
  `${campaignId}/${externalLeadId}`;
