import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/index.ts';

/** Keys that do not lead with account_id, each with its reason. */
const EXCEPTIONS: Record<string, string> = {
  accounts_pkey: 'the id is the account',
  accounts_one_default: 'there is one default account in all',
  api_keys_public_key_key: 'the key is what tells the account',
  api_keys_secret_hash_key: 'the key is what tells the account',
  forms_id_key: 'the form is what tells the account',
  invitations_token_hash_key: 'the link is what tells the account',
  kysely_migration_pkey: 'of the migrations, not of any account',
  kysely_migration_lock_pkey: 'of the migrations, not of any account',
  ...Object.fromEntries(
    [
      ...['users_pkey', 'users_email_key', 'user_sessions_pkey', 'user_sessions_token_key'],
      ...['user_credentials_pkey', 'user_credentials_one_each', 'user_verifications_pkey'],
      ...['user_second_factors_pkey', 'user_second_factors_user_id_key'],
    ].map((name) => [name, 'a person may be a member of several accounts']),
  ),
};

/** Tables of people, who belong to no account. */
const OF_PEOPLE = [
  'user_credentials',
  'user_second_factors',
  'user_sessions',
  'user_verifications',
  'users',
];

/** Other indexes that do not lead with account_id, each with its reason. */
const OTHER_EXCEPTIONS: Record<string, string> = {
  leads_erased: 'few, and upkeep looks at those of every account',
  leads_by_email: 'BRIN: summaries of pages, in no order',
  leads_by_phone: 'BRIN: summaries of pages, in no order',
  members_by_person: 'finds the accounts of a person',
  user_sessions_of_user: 'of people',
  user_verifications_by_end: 'of people',
  user_verifications_by_identifier: 'of people',
};

const KEYS = `
  SELECT index.relname AS name, (
      SELECT attname FROM pg_attribute WHERE attrelid = i.indrelid AND attnum = i.indkey[0]
    ) AS first_column
  FROM pg_index i
  JOIN pg_class index ON index.oid = i.indexrelid
  JOIN pg_namespace n ON n.oid = index.relnamespace
  WHERE n.nspname = 'public' AND (i.indisunique OR i.indisexclusion)`;

const OTHER_INDEXES = KEYS.replace('(i.indisunique OR i.indisexclusion)', 'NOT i.indisunique');

const KEYLESS = `
  SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
    AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)`;

const WITHOUT_ACCOUNT = `
  SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT EXISTS (
    SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'account_id' AND attnotnull)`;

test('every primary and unique key of the schema leads with account_id', async () => {
  const { query } = await createTestDatabase({ from: 'migrated' });
  const keys = await query<{ name: string; first_column: string }>(KEYS);
  const names = keys.map(({ name }) => name);
  assert.ok(names.includes('leads_pkey') && names.includes('leads_tuple'));
  const others = keys.filter((key) => key.first_column !== 'account_id').map(({ name }) => name);
  assert.deepEqual(others.toSorted(), Object.keys(EXCEPTIONS).toSorted());
});

test('every other index of the schema leads with account_id', async () => {
  const { query } = await createTestDatabase({ from: 'migrated' });
  const indexes = await query<{ name: string; first_column: string }>(OTHER_INDEXES);
  assert.ok(indexes.length > 0);
  const others = indexes.filter((one) => one.first_column !== 'account_id');
  assert.deepEqual(
    others.map(({ name }) => name).toSorted(),
    Object.keys(OTHER_EXCEPTIONS).toSorted(),
  );
});

test('every table has a primary key and, but accounts, people and the migrations, an account_id that is never null', async () => {
  const { query } = await createTestDatabase({ from: 'migrated' });
  assert.deepEqual(await query(KEYLESS), []);
  const without = await query<{ name: string }>(WITHOUT_ACCOUNT);
  assert.deepEqual(without.map(({ name }) => name).toSorted(), [
    'accounts',
    'kysely_migration',
    'kysely_migration_lock',
    ...OF_PEOPLE,
  ]);
});
