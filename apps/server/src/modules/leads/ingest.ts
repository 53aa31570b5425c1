import type { Lead } from '@leadwire/contract';
import { type Clock, formatMicros } from '../../platform/clock/index.ts';
import { createTurns } from '../../platform/grouping/index.ts';
import { applyChange, type Change, newLead } from './change.ts';
import { contactRequired, unknownCampaign } from './errors.ts';
import type { LeadChange, Source, StoredLead, WriteResult } from './lead.ts';
import type { LeadWrite } from './repository/columns.ts';
import type { LeadUpdate } from './repository/update.ts';
import type { LeadStore } from './store.ts';

/** What ingest needs of campaigns. */
type CampaignLookup = { exists(accountId: string, id: number): true | Promise<boolean> };

export type IngestDeps = {
  store: Pick<LeadStore, 'insert' | 'update' | 'findByTuple'>;
  campaigns: CampaignLookup;
  clock: Clock;
  newId: () => string;
  countOutcome: (status: WriteResult['status'], lead: Lead) => void;
};

export type Ingest = (accountId: string, input: LeadChange, source: Source) => Promise<WriteResult>;

/**
 * The one way in for every lead: inserted, patched or deduped by its tuple. `input` is what validate.ts has read.
 * @throws AppError 400 for a campaign that is not of the account or a merge that leaves no valid lead, 503 where the
 * store is out of reach.
 */
export function createIngest(deps: IngestDeps): Ingest {
  const inTurn = createTurns();
  return async (accountId, input, source) => {
    const known = deps.campaigns.exists(accountId, input.campaign_id as number);
    if (known !== true && !(await known)) throw unknownCampaign();
    const hasContact = (input.phone ?? input.email ?? null) !== null;
    if (!hasContact) return patchKnown(deps, accountId, input, source);
    const result =
      (await attempt(deps, accountId, input, source)) ??
      // Lost against others who write this lead: from now on one after the other, so that n of them cost n tries, not n².
      (await inTurn(`${accountId}/${input.campaign_id}/${input.external_lead_id}`, () =>
        untilDone(() => attempt(deps, accountId, input, source)),
      ));
    deps.countOutcome(result.status, result.lead);
    return result;
  };
}

async function untilDone<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const result = await attempt();
    if (result) return result;
  }
}

/** @returns null where it is to be tried again: the lead, or its created_at, was written by someone else meanwhile. */
async function attempt(
  deps: IngestDeps,
  accountId: string,
  input: LeadChange,
  source: Source,
): Promise<WriteResult | null> {
  const write = toInsert(deps, accountId, input, source);
  const outcome = await deps.store.insert(write);
  if (outcome.kind === 'collided') return null;
  return outcome.kind === 'inserted' ? inserted(write) : patch(deps, outcome.stored, input, source);
}

/** A post without phone and e-mail: right for a lead that is known and has one of them, and never a new lead. */
async function patchKnown(
  deps: IngestDeps,
  accountId: string,
  input: LeadChange,
  source: Source,
): Promise<WriteResult> {
  const tuple = {
    accountId,
    campaignId: input.campaign_id as number,
    externalLeadId: input.external_lead_id as string,
  };
  const result = await untilDone(async () => {
    const stored = await deps.store.findByTuple(tuple);
    if (!stored) throw contactRequired();
    return patch(deps, stored, input, source);
  });
  deps.countOutcome(result.status, result.lead);
  return result;
}

function toInsert(
  deps: IngestDeps,
  accountId: string,
  input: LeadChange,
  source: Source,
): LeadWrite {
  const at = formatMicros(deps.clock.nowMicros());
  const lead = newLead({ id: deps.newId(), accountId, at }, withConsentTime(input, source, at));
  return {
    lead,
    json: JSON.stringify(lead),
    source,
    eventId: deps.newId(),
    convertedEventId: lead.status === 'converted' ? deps.newId() : null,
  };
}

const inserted = ({ lead, json }: LeadWrite): WriteResult => ({
  status: 'inserted',
  changed: [],
  lead,
  json,
  version: 1,
});

/** A consent that a form took was given when it came in; the same submission again must stay the same payload. */
const withConsentTime = (input: LeadChange, { consent }: Source, at: string): LeadChange =>
  consent?.given ? { ...input, tcpa_consent_timestamp: at } : input;

/** @returns null where the lead was written by someone else since it was read: to be tried from the start. */
async function patch(
  deps: IngestDeps,
  stored: StoredLead,
  input: LeadChange,
  source: Source,
): Promise<WriteResult | null> {
  const first = applyChange(stored.lead, input);
  if (!first) return unchanged(stored);
  const change = source.consent?.given
    ? (applyChange(
        stored.lead,
        withConsentTime(input, source, formatMicros(deps.clock.nowMicros())),
      ) as Change)
    : first;
  const update = toUpdate(deps, 'patched', stored, change, source);
  return (await deps.store.update(update)) ? updated('patched', update) : null;
}

export const unchanged = ({ lead, version }: StoredLead): WriteResult => ({
  status: 'deduped',
  changed: [],
  lead,
  json: JSON.stringify(lead),
  version,
});

export const updated = (status: 'patched', update: LeadUpdate): WriteResult => ({
  status,
  changed: update.changed,
  lead: update.lead,
  json: update.json,
  version: update.expectedVersion + 1,
});

/** One write of a changed lead, with a later updated_at. */
export function toUpdate(
  { clock, newId }: Pick<IngestDeps, 'clock' | 'newId'>,
  kind: LeadUpdate['kind'],
  stored: StoredLead,
  change: Change,
  source: Source,
): LeadUpdate {
  const lead: Lead = { ...change.after, updated_at: formatMicros(clock.nowMicros()) };
  const becameConverted = change.changed.includes('status') && lead.status === 'converted';
  return {
    kind,
    lead,
    json: JSON.stringify(lead),
    source,
    eventId: newId(),
    convertedEventId: becameConverted ? newId() : null,
    expectedVersion: stored.version,
    changed: change.changed,
    beforeJson: JSON.stringify(change.before),
  };
}
