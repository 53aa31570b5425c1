import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cli, createTestDatabase, seed } from '../../support/index.ts';

const database = await createTestDatabase();
const { env } = database;
const account = seed().ours.id;
const own = ['--account', account];
const STRANGER = '00000000-0000-4000-8000-000000000000';

type Mistake = [args: string[], says: RegExp];

/** Each must end with the code, say why on stderr without a stack, and print nothing on stdout. */
async function assertRefused(mistakes: Mistake[], expected: 1 | 2): Promise<void> {
  for (let i = 0; i < mistakes.length; i += 3) {
    await Promise.all(
      mistakes.slice(i, i + 3).map(async ([args, says]) => {
        const { code, stdout, stderr } = await cli(args, env);
        const seen = `leadwire ${args.join(' ')}: ${code} ${stderr}`;
        assert.equal(code, expected, seen);
        assert.match(stderr, says, seen);
        assert.doesNotMatch(stderr, /\n\s+at /, seen);
        assert.equal(stdout, '', seen);
      }),
    );
  }
}

describe('a mistake on the command line', () => {
  it('in a name gets a suggestion and the exit code 2', () =>
    assertRefused(
      [
        [['account', 'create', '--name', 'x'], /Did you mean accounts\?/],
        [['keys', 'creat'], /Did you mean create\?/],
        [['migrat'], /Did you mean migrate\?/],
        [['accounts', 'create', '--name', 'x', '--jsn'], /Did you mean --json\?/],
        [['serve'], /unknown command/],
      ],
      2,
    ));

  it('in what is missing or superfluous gets the exit code 2', () =>
    assertRefused(
      [
        [['accounts', 'create'], /--name/],
        [['campaigns', 'create', '--name', 'x'], /--account/],
        [['keys', 'create', ...own, '--name', 'x'], /--scopes/],
        [['keys', 'revoke'], /public key/],
        [['migrate', 'now'], /argument/],
        [['keys'], /create/],
      ],
      2,
    ));

  it('in a value says what would be right, with the exit code 2', () => {
    const key = ['keys', 'create', ...own, '--name', 'x', '--scopes'];
    const mistakes: Mistake[] = [
      [[...key, 'leads:raed'], /leads:read, leads:write/],
      [[...key, 'leads:read', '--rate-limit', '100'], /100\/60/],
      [[...key, 'leads:read', '--rate-limit', '100/0'], /100\/60/],
      [[...key, 'leads:read', '--expires', '2026-02-30T00:00:00Z'], /ISO 8601/],
      [['features', 'set', ...own, 'nope=off'], /insertion, legacy_leads, webhooks, forms/],
      [['campaigns', 'start', ...own, '2147483648'], /integer/],
      [['accounts', 'create', '--name', ' '], /name/i],
    ];
    return assertRefused(mistakes, 2);
  });

  it('in what does not exist ends with 1 and names it', () =>
    assertRefused(
      [
        [['campaigns', 'create', '--account', 'acme', '--name', 'x'], /acme/],
        [
          ['keys', 'create', '--account', STRANGER, '--name', 'x', '--scopes', 'leads:read'],
          new RegExp(STRANGER),
        ],
        [['features', 'set', '--account', STRANGER, 'forms=off'], new RegExp(STRANGER)],
        [['campaigns', 'start', ...own, '99'], /99/],
        [['campaigns', 'pause', '--account', seed().theirs.id, '2'], /2/],
        [['keys', 'revoke', 'lwpk_unknown'], /lwpk_unknown/],
      ],
      1,
    ));

  it('leaves nothing behind', async () => {
    const counts = await database.query(
      `SELECT (SELECT count(*)::int FROM accounts) AS accounts, (SELECT count(*)::int FROM api_keys) AS keys,
         (SELECT count(*)::int FROM campaigns) AS campaigns, (SELECT count(*)::int FROM events) AS events`,
    );
    assert.deepEqual(counts, [{ accounts: 2, keys: 4, campaigns: 4, events: 0 }]);
  });

  it('is avoided by help, which ends with 0', async () => {
    const [help, of] = await Promise.all([
      cli(['--help'], env),
      cli(['keys', 'create', '--help'], env),
    ]);
    assert.equal(help.code, 0);
    for (const name of ['accounts', 'campaigns', 'keys', 'features', 'migrate']) {
      assert.match(help.stdout, new RegExp(`^\\s+${name}\\b`, 'm'));
    }
    assert.equal(of.code, 0);
    for (const option of [
      '--account',
      '--name',
      '--scopes',
      '--rate-limit',
      '--expires',
      '--json',
    ]) {
      assert.ok(of.stdout.includes(option), option);
    }
  });
});
