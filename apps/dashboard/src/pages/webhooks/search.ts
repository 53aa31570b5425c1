import type { DeliveryState, EventType } from '@leadwire/contract';

/** Which deliveries of a webhook are shown: what stands in the address. */
export type DeliveriesSearch = {
  state?: DeliveryState;
  type?: EventType;
  event?: string;
  /** The cursors of the pages before this one and of this one, by ~, so that there is a way back. */
  at?: string;
};

const NAMES = ['state', 'type', 'event', 'at'] as const;

/** Values are checked by the service, which says what is wrong with them. */
export function readDeliveriesSearch(search: Record<string, unknown>): DeliveriesSearch {
  const entries = NAMES.flatMap((name) => {
    const value = search[name];
    return value === undefined || value === '' ? [] : [[name, String(value)]];
  });
  return Object.fromEntries(entries) as DeliveriesSearch;
}

export const cursorOf = ({ at }: DeliveriesSearch): string | undefined => at?.split('~').at(-1);

export const older = (search: DeliveriesSearch, cursor: string): DeliveriesSearch => ({
  ...search,
  at: search.at ? `${search.at}~${cursor}` : cursor,
});

export function newer({ at, ...search }: DeliveriesSearch): DeliveriesSearch {
  const before = at?.split('~').slice(0, -1).join('~');
  return before ? { ...search, at: before } : search;
}
