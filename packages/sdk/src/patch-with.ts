import { ConflictError, NetworkError } from './errors.ts';
import type { Lead, LeadPatch } from './types.generated.ts';

/** A lead as it was read: `etag` goes into ifMatch, so that nothing written meanwhile is lost. */
export type ReadLead = { lead: Lead; etag: string };

/** A lead after a write; `changed` names the fields that changed. */
export type PatchedLead = ReadLead & { changed: string[] };

/** Works out what to change of a lead; {} changes nothing. Called again where somebody else wrote meanwhile. */
export type MakeChanges = (lead: Lead) => LeadPatch | Promise<LeadPatch>;

const MAX_TRIES = 5;

/**
 * Read, merge, write; from the start where somebody else wrote meanwhile.
 * @throws ConflictError after the fifth time; NetworkError where a read has no ETag; whatever `makeChanges` throws
 */
export async function patchWith(
  read: () => Promise<ReadLead>,
  write: (lead: Lead, changes: LeadPatch, ifMatch: string) => Promise<PatchedLead>,
  makeChanges: MakeChanges,
): Promise<PatchedLead> {
  for (let tries = 1; ; tries++) {
    const { lead, etag } = await read();
    if (etag === '') throw withoutEtag();
    const changes = await makeChanges(lead);
    if (isEmpty(changes)) return { lead, etag, changed: [] };
    try {
      return await write(lead, changes, etag);
    } catch (error) {
      if (!(error instanceof ConflictError) || tries === MAX_TRIES) throw error;
    }
  }
}

const withoutEtag = () =>
  new NetworkError(
    'The answer has no ETag, which something on its way took off: without it the write of somebody else could be lost.',
    { code: 'malformed_answer' },
  );

const isEmpty = (changes: LeadPatch): boolean =>
  Object.values(changes).every((value) => value === undefined);
