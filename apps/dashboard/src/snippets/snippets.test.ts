import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runLines, withCampaign } from './filled.ts';
import { LANGUAGES, PROGRAMS } from './languages.ts';

/** The file below examples/ that a program's loader names. */
const textOf = (load: () => unknown): string => {
  const path = /examples\/[\w./-]+/.exec(String(load))?.[0] ?? '';
  return readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
};

test('each example that sends a lead names its campaign once, and gets the account’s own', () => {
  for (const { value } of LANGUAGES) {
    const code = textOf(PROGRAMS.send[value].load);
    const filled = withCampaign(code, 4711);
    assert.equal(filled.split('4711').length, 2, value);
    assert.equal(filled.replace('4711', '1'), code, value);
    assert.equal(withCampaign(filled, 5), filled, `${value}: once`);
  }
});

test('each example that verifies webhooks is there, and is run under the name that it is saved by', () => {
  for (const { value } of LANGUAGES) {
    const { load, file, run } = PROGRAMS.verify[value];
    assert.match(textOf(load), /LEADWIRE_WEBHOOK_SECRET/, value);
    assert.ok(run.includes(file), value);
    assert.ok(PROGRAMS.send[value].run.includes(PROGRAMS.send[value].file), value);
  }
});

test('values reach the program as they are, whatever a shell would make of them', () => {
  const hostile = `it's "$HOME" \`id\` \\ $(id)`;
  const { stdout } = spawnSync('sh', ['-c', runLines({ A: hostile }, 'printf %s "$A"')]);
  assert.equal(String(stdout), hostile);
});
