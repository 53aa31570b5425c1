import { batchBody } from './lead.ts';
import type { Leadwire } from './leadwire.ts';
import { createBody, writeNumber } from './request.ts';
import { bearer, LEADS_PATH } from './traffic.ts';

const BATCH = 500;

type BatchAnswer = {
  results: { lead_id: string }[];
  counts: { inserted: number };
};

/**
 * Inserts the leads numbered from…from+count−1 (count: a multiple of 500) and returns their UUIDs,
 * each at the index of its number. Rejects unless every one of them was new.
 */
export async function seed(leadwire: Leadwire, from: number, count: number): Promise<string[]> {
  const { bytes, numbers, revisions } = createBody(batchBody(BATCH));
  for (const offset of revisions) writeNumber(bytes, offset, 0);
  const ids: string[] = [];
  for (let first = from; first < from + count; first += BATCH) {
    numbers.forEach((offset, mark) => {
      writeNumber(bytes, offset, first + Math.floor((mark * BATCH) / numbers.length));
    });
    const response = await fetch(`http://127.0.0.1:${leadwire.service.port}${LEADS_PATH}/batch`, {
      method: 'POST',
      headers: { ...bearer(leadwire.key.secret_key), 'Content-Type': 'application/json' },
      body: new Uint8Array(bytes),
    });
    const text = await response.text();
    const answer = response.status === 200 ? (JSON.parse(text) as BatchAnswer) : undefined;
    if (answer?.counts.inserted !== BATCH) {
      throw new Error(`seeding: ${response.status} ${text.slice(0, 1500)}`);
    }
    answer.results.forEach((result, index) => {
      ids[first + index] = result.lead_id;
    });
  }
  return ids;
}
