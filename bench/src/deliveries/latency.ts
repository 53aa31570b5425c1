import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Agent, request } from 'undici';
import { leadBody, NUMBER, REVISION } from '../lead.ts';
import type { Leadwire } from '../leadwire.ts';
import { bearer, LEADS_PATH } from '../traffic.ts';
import { nowMs } from './clock.ts';
import type { Receiver } from './receiver.ts';

/** In milliseconds, one value a lead. */
export type Latencies = {
  /** From the lead's created_at, which lies before its commit. */
  sinceCreated: number[];
  /** From the arrival of the 201 at the client, after the commit; below zero where the receipt came first. */
  sinceAnswered: number[];
};

const ALL_NUMBERS = new RegExp(NUMBER, 'g');

/**
 * Posts single leads at a fixed rate, whether or not the answers come (open loop), and takes the time
 * until each was received at `hook`.
 */
export async function measureLatency(
  leadwire: Leadwire,
  receiver: Receiver,
  hook: string,
  load: { perSecond: number; seconds: number; from: number },
): Promise<Latencies> {
  await receiver.reset();
  const answeredAt = await postOpenLoop(leadwire, load);
  await receiver.until(hook, answeredAt.size);
  const receipts = await receiver.receipts(hook);
  const events = await eventsOf(leadwire.databaseUrl, [...answeredAt.keys()]);
  const result: Latencies = { sinceCreated: [], sinceAnswered: [] };
  for (const { id, lead_id, at_ms } of events) {
    const receivedAt = receipts.get(id);
    if (receivedAt === undefined) throw new Error(`${id} was not received`);
    result.sinceCreated.push(receivedAt - Number(at_ms));
    result.sinceAnswered.push(receivedAt - (answeredAt.get(lead_id) as number));
  }
  return result;
}

/** When the answer about each lead arrived. */
async function postOpenLoop(
  leadwire: Leadwire,
  { perSecond, seconds, from }: { perSecond: number; seconds: number; from: number },
): Promise<Map<string, number>> {
  const dispatcher = new Agent({ pipelining: 1 });
  const answeredAt = new Map<string, number>();
  const post = async (number: number) => {
    const answer = await request(`http://127.0.0.1:${leadwire.service.port}${LEADS_PATH}`, {
      method: 'POST',
      headers: { ...bearer(leadwire.key.secret_key), 'content-type': 'application/json' },
      body: leadBody
        .replace(ALL_NUMBERS, String(number).padStart(NUMBER.length, '0'))
        .replace(REVISION, '0'.repeat(REVISION.length)),
      dispatcher,
    });
    const text = await answer.body.text();
    const at = nowMs();
    if (answer.statusCode !== 201) throw new Error(`post: ${answer.statusCode} ${text}`);
    answeredAt.set((JSON.parse(text) as { lead: { id: string } }).lead.id, at);
  };
  const startedAt = performance.now();
  const underWay: Promise<void>[] = [];
  for (let sent = 0; sent < perSecond * seconds; sent += 1) {
    const wait = startedAt + (sent * 1000) / perSecond - performance.now();
    if (wait > 0) await sleep(wait);
    const posting = post(from + sent);
    posting.catch(() => undefined);
    underWay.push(posting);
  }
  await Promise.all(underWay);
  await dispatcher.close();
  return answeredAt;
}

type EventTime = { id: string; lead_id: string; at_ms: string };

async function eventsOf(databaseUrl: string, leadIds: string[]): Promise<EventTime[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<EventTime>(
      `SELECT 'evt_' || replace(event.id::text, '-', '') AS id, lead.id AS lead_id,
         extract(epoch FROM lead.created_at) * 1000 AS at_ms
       FROM leads lead JOIN events event ON event.account_id = lead.account_id
         AND event.lead_id = lead.id AND event.type = 'lead.created'
       WHERE lead.id = ANY ($1::uuid[])`,
      [leadIds],
    );
    if (rows.length !== leadIds.length) throw new Error('some leads have no event');
    return rows;
  } finally {
    await client.end();
  }
}
