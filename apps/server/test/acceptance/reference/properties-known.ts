import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from '../../support/index.ts';
import type { Operation } from './document.ts';

type Ids = Record<string, string>;

/**
 * What earlier answers told: ids for paths, cursors by operation, ETags, ids of events. Requests take from it, so that
 * they meet something.
 */
export function createKnown() {
  const leads = new Map<string, Ids>();
  const webhooks = new Map<string, Ids>();
  const deliveries = new Map<string, Ids>();
  const replays = new Map<string, Ids>();
  const cursors = new Map<string, string[]>();
  const values: Record<string, string[]> = { etag: [], event_id: [] };

  function learnFrom(node: Json): void {
    if (typeof node !== 'object' || node === null) return;
    const { id, webhook_id: webhook, external_lead_id, event_id, deleted } = node;
    if (external_lead_id) {
      leads.set(`external ${external_lead_id}`, { id: external_lead_id });
      if (id) leads.set(id, { id });
    }
    if (event_id) values.event_id?.push(event_id);
    if (/^wh_/.test(id)) deleted ? webhooks.delete(id) : webhooks.set(id, { id });
    if (/^dlv_/.test(id) && webhook) deliveries.set(id, { id: webhook, delivery: id });
    if (/^rpl_/.test(id) && webhook) replays.set(id, { id: webhook, replay: id });
    for (const inner of Object.values(node)) learnFrom(inner);
  }

  return {
    /** The nth of the ids that a path can be filled with; undefined where none are known. */
    ids(path: string, nth: number): Ids | undefined {
      const kind = path.includes('{delivery}')
        ? deliveries
        : path.includes('{replay}')
          ? replays
          : path.includes('/leads/')
            ? leads
            : webhooks;
      const all = [...kind.values()].filter(
        ({ id }) => kind === leads || webhooks.has(id as string),
      );
      return all[nth % all.length];
    },
    /** The nth cursor that an operation handed out, ETag or event id. */
    value(name: string, operationId: string, nth: number): string | undefined {
      const all = name === 'cursor' ? cursors.get(operationId) : values[name];
      return all?.[nth % all.length];
    },
    learn({ operation }: Operation, headers: IncomingHttpHeaders, body: Json): void {
      learnFrom(body);
      if (headers.etag) values.etag?.push(headers.etag);
      if (typeof body.nextCursor === 'string') {
        const known = cursors.get(operation.operationId) ?? [];
        cursors.set(operation.operationId, [...known.slice(-20), body.nextCursor]);
      }
    },
  };
}
export type Known = ReturnType<typeof createKnown>;
