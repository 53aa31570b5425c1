import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { BATCH_BYTES, BATCH_ROWS, type Batch, nextBatch } from './batches.ts';
import type { LeadInput } from './index.ts';
import { insertMany } from './insert-many.ts';

const bytesOf = (text: string) => Buffer.byteLength(text);

function split(rows: unknown[], maxRows?: number): Batch[] {
  const batches: Batch[] = [];
  for (let from = 0; from < rows.length; from = batches.at(-1)?.to ?? 0) {
    batches.push(nextBatch(rows, from, maxRows));
  }
  return batches;
}

describe('rows of any number and size', () => {
  const row = fc
    .tuple(fc.nat(), fc.oneof(fc.nat(300), fc.nat(400_000)), fc.constantFrom('x', 'é', '🦊', '"'))
    .map(([n, length, text]) => ({ n, text: text.repeat(length) }));
  const rows = fc.array(row, { maxLength: 60 });

  test('come in batches that hold them all, in order, within both limits', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 70 }), (all, maxRows) => {
        const batches = split(all, maxRows);
        assert.deepEqual(
          batches.flatMap(({ body }) => JSON.parse(body).leads),
          all,
        );
        for (const { from, to, body } of batches) {
          assert.ok(to - from <= maxRows);
          assert.ok(bytesOf(body) <= BATCH_BYTES || to - from === 1);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('come in as few batches as the limits allow', () => {
    assert.deepEqual(
      split(Array(2500).fill({})).map(({ from, to }) => to - from),
      [BATCH_ROWS, BATCH_ROWS, 500],
    );
    // Two rows that fill a batch to the byte, and one byte more.
    const half = (BATCH_BYTES - '{"leads":["",""]}'.length) / 2;
    const [a, b] = ['x'.repeat(Math.floor(half)), 'x'.repeat(Math.ceil(half))];
    const [full] = split([a, b]);
    assert.equal(bytesOf(full?.body ?? ''), BATCH_BYTES);
    assert.equal(split([a, `${b}x`]).length, 2);
    // Counted in bytes, not in characters.
    assert.equal(split([a, '🦊'.repeat(Math.ceil(half / 4) + 1)]).length, 2);
  });

  test('that are longer than a batch go alone, for the service to refuse', () => {
    const batches = split([{}, 'x'.repeat(BATCH_BYTES), {}]);
    assert.deepEqual(
      batches.map(({ from, to }) => to - from),
      [1, 1, 1],
    );
  });
});

test('results of batches of any size come back in the order of the leads, counted together', async () => {
  const outcome = fc.constantFrom('inserted', 'patched', 'deduped', 'failed');
  const leads = fc.array(fc.record({ outcome, id: fc.nat() }), { maxLength: 3500, size: 'max' });
  await fc.assert(
    fc.asyncProperty(leads, async (all) => {
      const sizes: number[] = [];
      const send = async (body: string) => {
        const rows: typeof all = JSON.parse(body).leads;
        sizes.push(rows.length);
        const counts = { inserted: 0, patched: 0, deduped: 0, failed: 0 };
        const results = rows.map(({ outcome, id }, index) => {
          counts[outcome]++;
          const lead_id = String(id);
          return outcome === 'failed'
            ? { index, error: 'x', lead_id }
            : { index, status: outcome, lead_id };
        });
        return { ok: true as const, results, counts };
      };
      const { results, counts } = await insertMany(send, all as unknown as LeadInput[]);
      assert.deepEqual(
        results.map(({ index, status = 'failed', lead_id }) => [index, status, lead_id]),
        all.map(({ outcome, id }, index) => [index, outcome, String(id)]),
      );
      assert.equal(counts.inserted + counts.patched + counts.deduped + counts.failed, all.length);
      assert.deepEqual(
        sizes,
        split(all).map(({ from, to }) => to - from),
      );
    }),
    { numRuns: 20 },
  );
});
