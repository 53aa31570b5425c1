import { notFound } from '../../platform/errors/index.ts';
import { applyChange } from './change.ts';
import { changedMeanwhile, etagMismatch } from './errors.ts';
import { type IngestDeps, toUpdate, unchanged, updated } from './ingest.ts';
import { etagOf, type LeadChange, type Source, type StoredLead, type WriteResult } from './lead.ts';

type EditDeps = Pick<IngestDeps, 'store' | 'clock' | 'newId'> & {
  find(accountId: string, reference: string): Promise<StoredLead | null>;
};

export type Edit = (
  lead: { accountId: string; reference: string; ifMatch: string | undefined },
  change: LeadChange,
  source: Source,
) => Promise<WriteResult>;

/**
 * Changes one lead that exists. @throws AppError 404 where the account has none, 409 where it is not the one that
 * `ifMatch` names or was written by someone else between read and write, 400 where the merge leaves no valid lead.
 */
export function createEdit(deps: EditDeps): Edit {
  return async ({ accountId, reference, ifMatch }, change, source) => {
    const stored = await deps.find(accountId, reference);
    if (!stored) throw notFound();
    if (!matches(ifMatch, stored.version)) throw etagMismatch(etagOf(stored.version));
    const applied = applyChange(stored.lead, change);
    if (!applied) return unchanged(stored);
    const update = toUpdate(deps, 'edited', stored, applied, source);
    if (!(await deps.store.update(update))) throw changedMeanwhile();
    return updated('patched', update);
  };
}

/** If-Match (RFC 9110 section 13.1.1): a list of entity tags, or *; weak tags never match. */
function matches(ifMatch: string | undefined, version: number): boolean {
  if (ifMatch === undefined) return true;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.includes(etagOf(version));
}
