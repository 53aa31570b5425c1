import { after } from 'node:test';
import { type ClientOptions, createClient } from '../index.ts';
import { createFakeClock } from './fake-clock.ts';
import { startScriptedServer } from './scripted-server.ts';

/** A server that fails by script, stopped after the file, and clients of it with a clock of their own. */
export async function openScene() {
  const server = await startScriptedServer();
  after(() => server.close());
  return {
    server,
    client(options: Partial<ClientOptions> = {}) {
      const clock = createFakeClock();
      const leadwire = createClient({
        ...{ baseUrl: server.url, publicKey: 'lwpk_1', secretKey: 'lwsk_1', clock },
        ...{ deadlineMs: 1e9 },
        ...options,
      });
      return { ...leadwire, clock };
    },
    /** Waits until so many requests have come. */
    async arrived(count = 1): Promise<void> {
      while (server.seen.length < count) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

export const LEAD = { campaign_id: 1, external_lead_id: 'a', phone: '+14155550132' };

/** The answer to a post of it. */
export const DEDUPED = {
  status: 200,
  body: { ok: true, status: 'deduped', changed: [], lead: LEAD },
};
