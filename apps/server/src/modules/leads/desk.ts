import type { DashboardApi, ShownLead } from '@leadwire/contract/dashboard';
import type { Clock } from '../../platform/clock/index.ts';
import { AppError, notFound } from '../../platform/errors/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import type { DeliveryLog } from '../deliveries/index.ts';
import type { Events } from '../events/index.ts';
import type { Edit } from './edit.ts';
import { createErase } from './erase.ts';
import { conflictWith } from './errors.ts';
import { etagOf, type Source } from './lead.ts';
import { listConsents } from './repository/consents.ts';
import { findSeenLead } from './repository/shown.ts';
import { createSearchLeads } from './search.ts';
import { toShownLead } from './shown.ts';
import { createTimeline, type TimelineDeps } from './timeline.ts';
import { readLeadPatch } from './validate.ts';

export type LeadDesk = ReturnType<typeof createLeadDesk>;

type Deps = TimelineDeps & {
  clock: Clock;
  newId: () => string;
  edit: Edit;
  events: Pick<Events, 'ofLead' | 'idsOfLead'>;
  deliveryLog: Pick<DeliveryLog, 'ofEvents' | 'forgetAnswers'>;
  /** After a commit that wrote leads of the account, and events with them. */
  onWritten: (accountId: string) => void;
};

type Key = { accountId: string; leadId: string };

/** Each is a write of the lead by a form: nobody sends that many, and an answer must end. */
const CONSENTS_SHOWN = 100;

/** What people do with leads: search them, look at one and at what happened to it, change it, erase a person's data. */
export function createLeadDesk(deps: Deps) {
  const { database } = deps;
  const erase = createErase({
    ...deps,
    forgetAnswers: async (query, lead) =>
      deps.deliveryLog.forgetAnswers(
        query,
        lead.accountId,
        await deps.events.idsOfLead(query, lead),
      ),
  });
  const timeline = createTimeline(deps);

  async function read(lead: Key) {
    const found = isUuid(lead.leadId) ? await findSeenLead(database, lead) : null;
    if (!found) throw notFound();
    return found;
  }

  return {
    search: createSearchLeads(deps),

    /** @throws AppError 404 */
    get: async (lead: Key): Promise<ShownLead> => toShownLead(await read(lead)),

    /**
     * Changes a lead by way of the same merge and checks as a PATCH of the public API.
     * @param version the one that the change was made on
     * @throws AppError 404, 400; 409 with the lead as it is now in `details.lead`
     */
    async edit(
      lead: Key,
      { version, changes }: DashboardApi['editLead']['body'],
      source: Source,
    ): Promise<DashboardApi['editLead']['answer']> {
      const patch = readLeadPatch(changes);
      await read(lead);
      const reference = { accountId: lead.accountId, reference: lead.leadId };
      const edited = await deps
        .edit({ ...reference, ifMatch: etagOf(version) }, patch, source)
        .catch(async (error) => {
          if (!(error instanceof AppError) || error.status !== 409) throw error;
          throw conflictWith(await read(lead));
        });
      return { lead: toShownLead(await read(lead)), changed: edited.changed };
    },

    /** @throws AppError 404; 409 with the lead as it is now in `details.lead` */
    async erase(lead: Key, version: number, source: Source): Promise<ShownLead> {
      if (!isUuid(lead.leadId)) throw notFound();
      return toShownLead(await erase({ ...lead, version }, source));
    },

    /** What a person consented to, as forms took it. @throws AppError 404 */
    async consents(lead: Key): Promise<DashboardApi['listConsents']['answer']> {
      await read(lead);
      return { consents: await listConsents(database, lead, CONSENTS_SHOWN) };
    },

    /** @throws AppError 404 */
    timeline: (lead: Key, before: number | undefined) => {
      if (!isUuid(lead.leadId)) throw notFound();
      return timeline(lead, before);
    },
  };
}
