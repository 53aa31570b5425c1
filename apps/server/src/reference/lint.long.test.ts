import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { before, mock, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { startDescribed } from './testing.ts';

/** What Spectral says and we leave as it is, by rule, with the reason. */
const ACCEPTED: Record<string, string> = {
  'oas3-operation-security-defined':
    'Scopes at a Bearer or apiKey scheme: OpenAPI 3.1 has room for them there ("MAY contain a list of role names"), the rule still judges by 3.0.',
};

let document: object;
before(async () => {
  ({ document } = await startDescribed());
});

/** @throws where the function opens a connection, also to a name or a socket file */
async function withoutNetwork<T>(run: () => Promise<T>): Promise<T> {
  const connect = mock.method(Socket.prototype, 'connect', () => {
    throw new Error('no connections here');
  });
  try {
    return await run();
  } finally {
    connect.mock.restore();
    assert.equal(connect.mock.callCount(), 0, 'a linter calls home');
  }
}

test('Redocly has nothing to say about the document, by its recommended rules', async () => {
  const problems = await withoutNetwork(async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const source = JSON.stringify(document);
    return lintFromString({ source, absoluteRef: '/openapi.json', config });
  });
  const said = problems.map(({ severity, ruleId, message, location: [at] }) => {
    return `${severity} ${ruleId}: ${message} ${at?.pointer}`;
  });
  assert.deepEqual(said, []);
});

test('Spectral has nothing to say but what is accepted here, by its recommended rules', async () => {
  const problems = await withoutNetwork(async () => {
    const spectral = new spectralCore.Spectral();
    // The package's own type of its ruleset lacks what the core asks of one.
    spectral.setRuleset({ extends: [oas as unknown as RulesetDefinition] });
    return spectral.run(document as Record<string, unknown>);
  });
  const said = problems
    .filter(({ code }) => !(code in ACCEPTED))
    .map(
      ({ severity, code, message, path }) => `${severity} ${code}: ${message} ${path.join('/')}`,
    );
  assert.deepEqual(said, []);
  const idle = Object.keys(ACCEPTED).filter((rule) => !problems.some(({ code }) => code === rule));
  assert.deepEqual(idle, [], 'accepted, but no longer said');
});
