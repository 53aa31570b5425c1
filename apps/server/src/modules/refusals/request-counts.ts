/** Requests of a key: `accepted`, or why they were refused. */
export type OnRequest = (
  key: { accountId: string; id: string },
  outcome: string,
  count: number,
) => void;

type Counts = { accountId: string; accepted: number; refused: Map<string, number> | null };

/** Sums up the requests of each key, so that one that is accepted costs a look-up in a map and no more. */
export function createRequestCounts(onRequest: OnRequest) {
  let counts = new Map<string, Counts>();

  const countsOf = ({ accountId, id }: { accountId: string; id: string }): Counts => {
    const known = counts.get(id);
    if (known) return known;
    const fresh: Counts = { accountId, accepted: 0, refused: null };
    counts.set(id, fresh);
    return fresh;
  };

  return {
    accepted(key: { accountId: string; id: string }): void {
      countsOf(key).accepted++;
    },

    refused(key: { accountId: string; id: string }, reason: string): void {
      const of = countsOf(key);
      of.refused ??= new Map();
      of.refused.set(reason, (of.refused.get(reason) ?? 0) + 1);
    },

    /** Tells what was counted, and begins again. */
    flush(): void {
      const counted = counts;
      counts = new Map();
      for (const [id, { accountId, accepted, refused }] of counted) {
        if (accepted > 0) onRequest({ accountId, id }, 'accepted', accepted);
        for (const [reason, count] of refused ?? []) onRequest({ accountId, id }, reason, count);
      }
    },
  };
}

export type RequestCounts = Omit<ReturnType<typeof createRequestCounts>, 'flush'>;
