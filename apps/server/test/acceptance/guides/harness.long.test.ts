import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../../support/index.ts';
import { runAgainstService } from './scene.ts';
import { typeErrorsOf } from './types.ts';

const fence = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\`\n\n`;
const POST = `curl -sS "$LEADWIRE_URL/api/v1/insertion/leads" -H "Authorization: Bearer $LEADWIRE_SECRET_KEY" \\
  -d '{"campaign_id":'"$CAMPAIGN"',"external_lead_id":"g-1","email":"ada@example.com"}'`;
const TITLE = '# Fixture\n\nA guide for its harness.\n\n';

test('a guide whose blocks run and print what it shows passes, and what it left running is ended', async () => {
  const pidFile = join(await mkdtemp(join(tmpdir(), 'leadwire-harness-')), 'pid');
  const guide = [
    TITLE,
    fence('sh', `${POST}\nname=ada; sleep 600 & echo $! >${pidFile}`),
    fence(
      'json answer',
      '{"ok": true, "status": "inserted", "lead": {"id": "…", "email": "ada@…"}}',
    ),
    fence(
      'sh',
      `[ "$name" = ada ]\nnpx leadwire campaigns create --account default --name Two --json`,
    ),
    fence('json answer', '{"id": 2}'),
    fence('ts', "const one: string = 'a';\nconsole.log(JSON.stringify([one, 2, 3]))"),
    fence('json answer', '["a", "…"]'),
    fence('js', "import * as sdk from '@leadwire/sdk';\nif (!sdk) process.exit(1);"),
    fence('sh no-run="ends everything"', 'exit 7'),
  ].join('');
  await runAgainstService('fixture', guide);
  const pid = Number(await readFile(pidFile, 'utf8'));
  await rm(dirname(pidFile), { recursive: true });
  await eventually(async () => assert.throws(() => process.kill(pid, 0), /ESRCH/));
});

/** Fails with a message that names the line. */
const fails = (guide: string, message: RegExp) =>
  assert.rejects(runAgainstService('fixture', TITLE + guide), message);

test('an answer that differs fails, with guide, line and output', async () => {
  const guide = fence('sh', POST) + fence('json answer', '{"status": "deduped"}');
  await fails(
    guide,
    /fixture\.md:6: .*status is "inserted".*line 11[\s\S]*"email":"ada@example\.com"/,
  );
});

test('a block that fails ends the guide there, and says at which line', async () => {
  const guide =
    fence('sh', 'true') + fence('sh', 'echo before\nno-such-command') + fence('sh', 'true');
  await fails(
    guide,
    /fixture\.md:10: it ended with 127[\s\S]*before[\s\S]*fixture-10\.sh: line 11/,
  );
});

test('a block that leaves the shell early, or prints no JSON where some is shown, fails', async () => {
  await fails(fence('sh', 'exit 0') + fence('sh', 'true'), /fixture\.md:6: it left the shell/);
  await fails(fence('sh', 'echo no') + fence('json answer', '{}'), /printed no JSON/);
});

test('TypeScript that a strict compiler refuses is named with its guide and line', async () => {
  const markdown = TITLE + fence('ts', "const one: number = 'a';\nconsole.log(one);");
  assert.match(await typeErrorsOf([{ slug: 'fixture', markdown }]), /fixture-6\.mts\(6,7\): error/);
});
