import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { leadBody, NUMBER, REVISION } from '../lead.ts';
import type { Leadwire } from '../leadwire.ts';
import { bearer, type Counter, LEADS_PATH } from '../traffic.ts';

const ALL_NUMBERS = new RegExp(NUMBER, 'g');

/**
 * Posts new leads at a fixed rate, whether or not the answers come, until `isOver`.
 * @returns milliseconds of each from when it was due, so that waiting behind others counts
 */
export async function postAtRate(
  { service, key }: Leadwire,
  { perSecond, counter, isOver }: { perSecond: number; counter: Counter; isOver: () => boolean },
): Promise<number[]> {
  const dispatcher = new Agent({ pipelining: 1 });
  const latencies: number[] = [];
  const post = async (dueAt: number) => {
    const number = String(counter.next()).padStart(NUMBER.length, '0');
    const answer = await request(`http://127.0.0.1:${service.port}${LEADS_PATH}`, {
      method: 'POST',
      headers: { ...bearer(key.secret_key), 'content-type': 'application/json' },
      body: leadBody.replace(ALL_NUMBERS, number).replace(REVISION, '0'.repeat(REVISION.length)),
      dispatcher,
    });
    const text = await answer.body.text();
    latencies.push(performance.now() - dueAt);
    if (answer.statusCode !== 201) throw new Error(`post: ${answer.statusCode} ${text}`);
  };
  const startedAt = performance.now();
  const underWay: Promise<void>[] = [];
  for (let sent = 0; !isOver(); sent += 1) {
    const dueAt = startedAt + (sent * 1000) / perSecond;
    const wait = dueAt - performance.now();
    if (wait > 0) await sleep(wait);
    const posting = post(dueAt);
    posting.catch(() => undefined);
    underWay.push(posting);
  }
  await Promise.all(underWay);
  await dispatcher.close();
  return latencies;
}
