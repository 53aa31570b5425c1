import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparison, readOverviewSearch } from './range.ts';

test('a range of the URL is taken where it is one, else the day is shown', () => {
  assert.deepEqual(readOverviewSearch({ range: 'week', other: 1 }), { range: 'week' });
  for (const range of ['day', 'year', 'toString', 7, null, undefined]) {
    assert.deepEqual(readOverviewSearch({ range }), {});
  }
});

test('two counts are compared in words that are right at the edges', () => {
  assert.equal(comparison(5, 0), null);
  assert.equal(comparison(0, 5), '100 % fewer than');
  assert.equal(comparison(1_000, 1_001), 'as many as');
  assert.equal(comparison(112, 100), '12 % more than');
  assert.equal(comparison(299, 100), '199 % more than');
  assert.equal(comparison(300, 100), '3 times as many as');
});
