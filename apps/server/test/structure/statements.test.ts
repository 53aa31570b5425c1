import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isForTests, literalsOf, readSources, type SourceFile } from './source-files.ts';
import { findUnscoped, isStatement } from './statements.ts';

/** Files whose literals are statements or parts of them. */
const isRepository = (path: string) => /^modules\/.*\brepository(?:\/[\w-]+)?\.ts$/.test(path);
const FRAGMENTS = new Set([
  'modules/events/body.ts',
  'modules/events/ctes.ts',
  'modules/statistics/ctes.ts',
]);

/** Statements that find an account instead of staying in one, or are put together: a part of each, with its reason. */
const ALLOWED: [path: string, includes: string, reason: string][] = [
  [
    'modules/accounts/repository/members.ts',
    'FROM members m, accounts a WHERE m.person_id = $1',
    'lists the accounts of a person',
  ],
  [
    'modules/accounts/repository/invitations.ts',
    'FROM invitations i, accounts a',
    'the link is what tells the account',
  ],
  [
    'modules/accounts/repository/invitations.ts',
    'UPDATE invitations i SET accepted_at',
    'the link is what tells the account',
  ],
  [
    'modules/api-keys/repository/in-use.ts',
    'FROM api_keys k JOIN accounts a',
    'the key is what tells the account',
  ],
  [
    'modules/api-keys/repository/managed.ts',
    'UPDATE api_keys SET revoked_at = $2',
    'the command line knows the public key alone',
  ],
  [
    'modules/api-keys/repository/sealed-with.ts',
    'SELECT split_part(sealed',
    'a start counts by which encryption keys the secrets of all accounts were sealed',
  ],
  [
    'modules/deliveries/repository.ts',
    'WITH RECURSIVE queue AS',
    'a worker serves every account: it steps from queue to queue',
  ],
  [
    'modules/deliveries/upkeep/repository/cleanup.ts',
    'SET previous_secret_encrypted = NULL',
    'forgets what has expired, of every account',
  ],
  [
    'modules/deliveries/upkeep/repository/cleanup.ts',
    'FROM webhook_replays replay',
    'removes what is past retention, of every account',
  ],
  [
    'modules/deliveries/upkeep/repository/erased-leads.ts',
    'FROM leads WHERE erased_at >',
    'upkeep finishes the erasures of every account',
  ],
  [
    'modules/deliveries/upkeep/repository/gauges.ts',
    'FROM deliveries LIMIT',
    'one number for the operator: what waits, of all accounts',
  ],
  [
    'modules/deliveries/upkeep/repository/unaccounted.ts',
    'SELECT DISTINCT account_id FROM webhooks',
    'the self-check goes through the accounts that have webhooks; joined by account_id from there',
  ],
  [
    'modules/events/repository.ts',
    'SELECT accounts.id FROM accounts WHERE EXISTS',
    'a start looks for events of a restored dump, account by account',
  ],
  [
    'modules/intake/forms/repository/lookup.ts',
    'WHERE forms.id = input.id',
    'the form is what tells the account',
  ],
  [
    'modules/intake/imports/repository/leases.ts',
    'WITH next AS MATERIALIZED',
    'a worker runs the imports of every account; updated by account_id from there',
  ],
  [
    'modules/intake/imports/repository/leases.ts',
    'AND account_id <> $1',
    'whether another account waits for its turn',
  ],
  [
    'modules/intake/imports/repository/upkeep.ts',
    'WITH due AS MATERIALIZED',
    'drops the files whose time is over, of every account; joined by account_id from there',
  ],
  [
    'modules/leads/repository/list.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the source.
    'FROM leads WHERE ${text}',
    'the condition is made by where(), checked below',
  ],
  [
    'modules/statistics/repository/fold.ts',
    'DELETE FROM tallies WHERE ctid',
    'sums up what has come in, of every account; joined by account_id from there',
  ],
  [
    'modules/statistics/repository/fold.ts',
    'DELETE FROM counts WHERE ctid',
    'removes what is past its time, account by account, of all of them',
  ],
];

const isAllowed = ({ path }: SourceFile, statement: string) =>
  ALLOWED.some(([file, part]) => file === path && statement.includes(part));

const sources = (await readSources()).filter(({ path }) => !isForTests(path));
const statementsOf = (file: SourceFile) => literalsOf(file.code).filter(isStatement);

describe('every statement of the repositories', () => {
  test('names account_id wherever it touches an account table, subselects included', () => {
    const files = sources.filter(({ path }) => isRepository(path) || FRAGMENTS.has(path));
    const statements = files.flatMap((file) => statementsOf(file).map((text) => ({ file, text })));
    assert.ok(statements.length >= 15, `only ${statements.length} statements were found`);
    const unscoped = statements
      .filter(({ file, text }) => !isAllowed(file, text))
      .flatMap(({ file, text }) => findUnscoped(text).map((found) => `${file.path}: ${found}`));
    assert.deepEqual(unscoped, []);
  });

  test('is found when any one of its comparisons of account_id is taken out', () => {
    const COMPARISON = /(?:\w+\.)?account_id\s*=\s*(?:\$\d+|\w+\.account_id)/g;
    const statements = sources.filter(({ path }) => isRepository(path)).flatMap(statementsOf);
    let tried = 0;
    for (const text of statements) {
      for (const { index, 0: comparison } of text.matchAll(COMPARISON)) {
        const without = `${text.slice(0, index)}1 = 1${text.slice(index + comparison.length)}`;
        assert.ok(findUnscoped(without).length > findUnscoped(text).length, without);
        tried++;
      }
    }
    assert.ok(tried >= 10, `only ${tried} comparisons were found`);
  });

  test('that is allowed not to is still there, and still needs to be allowed', () => {
    for (const [path, part] of ALLOWED) {
      const file = sources.find((one) => one.path === path);
      const found = file ? statementsOf(file).filter((text) => text.includes(part)) : [];
      assert.ok(found.length > 0 && found.every((text) => findUnscoped(text).length > 0), part);
    }
  });

  test('of the list begins its condition with account_id and adds only with AND', () => {
    const file = sources.find(({ path }) => path === 'modules/leads/repository/list.ts');
    const where = /function where\([\s\S]*?\n\}/.exec(file?.code ?? '')?.[0] ?? '';
    assert.match(where, /values: unknown\[\] = \[filter\.accountId\]/);
    assert.match(where, /let text = 'leads\.account_id = \$1'/);
    assert.deepEqual(where.match(/text \+?= .*/g)?.length, 2);
    assert.match(where, /text \+= ` AND /);
    assert.doesNotMatch(where, /\bOR\b/);
  });
});

test('SQL stands in repositories alone', () => {
  const SQL_ELSEWHERE = new Set([...FRAGMENTS]);
  const found = sources
    .filter(({ path }) => !isRepository(path) && !path.startsWith('platform/embedded-postgres/'))
    .filter(({ path }) => !SQL_ELSEWHERE.has(path))
    .filter((file) => statementsOf(file).length > 0)
    .map(({ path }) => path);
  assert.deepEqual(found, []);
});

test('no code changes or removes an audit record', () => {
  const CHANGE =
    /\b(?:update|delete\s+from|truncate(?:\s+table)?|merge\s+into|drop\s+table)\s+(?:only\s+)?(?:public\.)?"?lead_audit_records\b|into\s+lead_audit_records\b[^`;]*\bdo\s+update\b/i;
  assert.match('DELETE FROM lead_audit_records', CHANGE);
  assert.match('truncate\n  lead_audit_records', CHANGE);
  assert.match('INSERT INTO lead_audit_records (a) VALUES (1) ON CONFLICT (a) DO UPDATE', CHANGE);
  assert.ok(sources.some(({ code }) => /INSERT INTO lead_audit_records/.test(code)));
  const found = sources.filter(({ code }) => CHANGE.test(code)).map(({ path }) => path);
  assert.deepEqual(found, []);
});

describe('the check of statements finds', () => {
  const unscoped = [
    'SELECT * FROM leads WHERE id = $1',
    'SELECT * FROM leads',
    'SELECT account_id FROM leads WHERE id = $1',
    'UPDATE leads SET status = $1 WHERE id = $2',
    'UPDATE campaigns c SET name = $1 FROM input WHERE c.id = input.id AND input.account_id = $2',
    'DELETE FROM events WHERE id = $1',
    'INSERT INTO leads (id, phone) VALUES ($1, $2)',
    'SELECT 1 FROM accounts a JOIN api_keys k ON k.id = a.id WHERE a.id = $1',
    'SELECT * FROM leads l JOIN campaigns c ON c.id = l.campaign_id WHERE l.account_id = $1',
    'SELECT * FROM input, LATERAL (SELECT * FROM leads WHERE leads.id = input.id) found',
    'SELECT * FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.public_key = $1',
    'SELECT * FROM inserted JOIN input ON input.id = inserted.lead_id',
    'SELECT 1 WHERE EXISTS (SELECT FROM leads WHERE id = $1) AND account_id = $2',
    'SELECT id FROM leads WHERE account_id = $1 UNION ALL SELECT id FROM leads WHERE id = $2',
    'WITH x AS (UPDATE leads SET a = 1 WHERE id = $1 RETURNING *) SELECT * FROM x WHERE account_id = $2',
  ];
  for (const statement of unscoped) {
    test(statement, () => assert.notDeepEqual(findUnscoped(statement), []));
  }
});

describe('the check of statements lets pass', () => {
  const scoped = [
    'SELECT * FROM leads WHERE account_id = $1 AND id = $2',
    'SELECT 1 FROM accounts WHERE id = $1',
    'INSERT INTO leads (account_id, id) SELECT account_id, id FROM input',
    'UPDATE leads SET a = 1 FROM input WHERE leads.account_id = input.account_id AND leads.id = input.id',
    'SELECT * FROM input, LATERAL (SELECT * FROM leads WHERE leads.account_id = input.account_id LIMIT 1) found',
    'SELECT * FROM input JOIN leads ON leads.account_id = input.account_id AND leads.id = input.id',
    'SELECT coalesce(max(id), 0) FROM campaigns WHERE account_id = $1',
  ];
  for (const statement of scoped) {
    test(statement, () => assert.deepEqual(findUnscoped(statement), []));
  }
});
