import { createEvents, type Events } from './events.ts';
import { createLeads, type Leads } from './leads.ts';
import { type ClientOptions, settingsOf } from './options.ts';
import { createTransport } from './transport.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

/** A service as one key sees it. */
export type Client = { leads: Leads; webhooks: Webhooks; events: Events };

/**
 * The client of a Leadwire service. It keeps no connection and no timer: nothing to close.
 *
 * Tries again by itself: after 429 when Retry-After has passed; after 5xx and network errors after 1, 2, 4 and 8 s, five attempts in
 * all. No other 4xx is tried again. Every try is signed anew.
 *
 * @throws LeadwireError `invalid_option`
 */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(settingsOf(options));
  return {
    leads: createLeads(transport),
    webhooks: createWebhooks(transport),
    events: createEvents(transport),
  };
}
