export const WRITE_OUTCOMES = ['inserted', 'patched', 'deduped'] as const;
export type WriteOutcome = (typeof WRITE_OUTCOMES)[number];
