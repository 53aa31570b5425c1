import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@leadwire/contract';
import { areTypesFresh } from '../write-types.ts';
import { BATCH_BYTES, BATCH_ROWS } from './batches.ts';

test('the types are those of the schemas (npm run docs writes them)', async () => {
  assert.ok(await areTypesFresh());
});

test('batches have the limits of the contract', () => {
  assert.equal(BATCH_ROWS, LIMITS.batchLeads);
  assert.equal(BATCH_BYTES, LIMITS.batchBodyBytes);
});
