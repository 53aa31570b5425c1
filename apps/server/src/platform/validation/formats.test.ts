import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import isEmail from 'validator/lib/isEmail.js';
import { FORMATS } from './formats.ts';

test('an e-mail address is valid exactly where the library says so', () => {
  const part = fc.stringMatching(/^[a-z0-9A-Z._+@-]{1,12}$/);
  const address = fc.oneof(
    fc.emailAddress(),
    fc
      .tuple(part, part, fc.stringMatching(/^[a-z0-9-]{1,30}$/))
      .map(([a, b, c]) => `${a}@${b}.${c}`),
    fc.tuple(part, part).map(([a, b]) => `${a}@${b}`),
  );
  fc.assert(
    fc.property(address, (text) => {
      assert.equal(FORMATS.email?.test(text), isEmail.default(text), text);
    }),
    { numRuns: 20_000 },
  );
});
