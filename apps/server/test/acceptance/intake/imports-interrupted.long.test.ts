import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { childEnvironment, entry } from '../../support/cli.ts';
import {
  cli,
  cliJson,
  createTestDatabase,
  eventually,
  type Json,
  seed,
  startServer,
  visitor,
} from '../../support/index.ts';
import { importsOf } from './uploads.ts';

const { ours, people } = seed();
const database = await createTestDatabase();
const directory = await mkdtemp(join(tmpdir(), 'leadwire-import-'));

/** Rows of which each hundredth is bad and each tenth names the lead of the row before it. */
const fileOf = (rows: number, name: string): string =>
  `Lead ID,Email,Note\n${Array.from({ length: rows }, (_, i) => {
    const id = i % 10 === 5 ? i - 1 : i;
    return `${name}-${id},${i % 100 === 99 ? 'nobody' : `${name}${id}@example.com`},${i}`;
  }).join('\n')}\n`;

const ROWS = 12_000;
const EXACT = { inserted: 10_680, patched: 1_200, deduped: 0, failed: 120 };

const countLeads = async (name: string): Promise<number> => {
  const [row] = await database.query<Json>(
    `SELECT count(*) AS n FROM leads WHERE account_id = '${ours.id}' AND external_lead_id LIKE '${name}-%'`,
  );
  return Number(row.n);
};

/** As seven days later. */
const endFile = (id: string) =>
  database.query(
    `UPDATE imports SET file_until = now() - interval '1 s' WHERE replace(id::text, '-', '') = '${id.slice(4)}'`,
  );

/** As ten seconds later, when a dead process has lost what it held. */
const endLeases = () =>
  database.query(
    "UPDATE imports SET leased_until = clock_timestamp() - interval '1 s' WHERE lease_holder IS NOT NULL",
  );

test('an import whose process is killed goes on in another, and counts and result are exact', async () => {
  let server = await startServer({ database });
  const open = () => importsOf(visitor(server, people.member.cookie), ours.id);
  after(() => server.stop());
  const { id } = await open().upload(fileOf(ROWS, 'k'));
  await open().must('PATCH', `/${id}`, { campaign_id: 1, source: 'killed' });
  await open().must('POST', `/${id}/start`);
  const { id: old } = await open().upload('Email\na@example.com\n');
  for (const reached of [1, 5_000]) {
    await eventually(
      async () => {
        const { progress } = await open().must('GET', `/${id}`);
        assert.ok(progress.rows >= reached && progress.rows < ROWS, JSON.stringify(progress));
      },
      { everyMs: 5 },
    );
    await server.kill();
    await endLeases();
    await endFile(old);
    server = await startServer({ database });
  }
  const { counts } = await open().until(id, 'done');
  assert.deepEqual(counts, EXACT);
  const gone = await open().until(old, 'failed');
  assert.deepEqual([gone.failure.code, gone.file_kept_until], ['file_gone', null]);
  assert.deepEqual(await database.query(`SELECT count(*) FROM import_parts`), [{ count: '1' }]);
  assert.equal(await countLeads('k'), EXACT.inserted);
  const lines = (await open().result(id)).trimEnd().split('\n').slice(1);
  assert.deepEqual(
    lines.map((line) => Number(line.split(',', 1)[0])),
    Array.from({ length: ROWS }, (_, i) => i + 2),
  );
  const outcomes = Object.groupBy(lines, (line) => line.split(',')[1] ?? '');
  const of = (outcome: string) => outcomes[outcome]?.length ?? 0;
  assert.deepEqual([of('inserted'), of('patched'), of('failed')], [10_680, 1_200, 120]);
  await server.stop();
});

describe('leadwire import', () => {
  const args = (file: string, ...more: string[]) => [
    ...['import', file, '--account', ours.id, '--campaign', '2', ...more],
  ];

  test('shows what it found, names bad rows, and writes nothing in a dry run', async () => {
    const file = join(directory, 'sheet.csv');
    await writeFile(file, 'Mobil;Name;Opt-in\n030 1234567;Ann;ja\n030 x;Bob;perhaps\n');
    const options = ['--country', 'de', '--map', 'Name=first_name'];
    const dry = await cli(args(file, ...options, '--dry-run'), database.env);
    assert.equal(dry.code, 0, dry.stderr);
    assert.match(dry.stderr, /utf-8, separated by semicolons/);
    assert.match(
      dry.stderr,
      /^Mobil +phone {2,}\S.*\nName +first_name {2,}\S.*\nOpt-in +tcpa_consent/m,
    );
    assert.match(
      dry.stdout,
      /^Line 3: Mobil: phone is not a number of Germany; Opt-in: tcpa_consent/m,
    );
    assert.match(dry.stdout, /2 rows read, nothing written: 1 good, 1 bad\./);
    const result = join(directory, 'result.csv');
    const json = await cliJson(args(file, ...options, '--result', result), database.env);
    assert.deepEqual(json.counts, { inserted: 1, patched: 0, deduped: 0, failed: 1 });
    assert.match(
      await readFile(result, 'utf8'),
      /\n2,inserted,[^\n]+,030 1234567,Ann,ja\n3,failed/,
    );
    const [lead] = await database.query<Json>(
      `SELECT phone, source, first_name FROM leads WHERE account_id = '${ours.id}' AND campaign_id = 2`,
    );
    const seen = [lead.phone, lead.source, lead.first_name];
    assert.deepEqual(seen, ['+49301234567', 'sheet.csv', 'Ann']);
  });

  test('says what is wrong with a file or an option, and ends with 1', async () => {
    const empty = join(directory, 'empty.csv');
    await writeFile(empty, '');
    const ended = await cli(args(empty), database.env);
    assert.deepEqual([ended.code, ended.stdout], [1, '']);
    assert.match(ended.stderr, /The file is empty/);
    const file = join(directory, 'sheet.csv');
    const unknown = await cli(args(file, '--map', 'Nickname=first_name'), database.env);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /no column "Nickname". Its columns: "Mobil", "Name", "Opt-in"/);
  });

  test('that is stopped with Ctrl-C goes on when it is given again', async () => {
    const file = join(directory, 'long.csv');
    await writeFile(file, fileOf(ROWS, 'c'));
    const child = spawn(process.execPath, [entry(), ...args(file)], {
      env: childEnvironment(database.env),
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await eventually(async () => assert.ok((await countLeads('c')) > 0), { everyMs: 5 });
    child.kill('SIGINT');
    assert.equal(await ended, 1);
    const before = await countLeads('c');
    assert.ok(before < EXACT.inserted, `it had ended already: ${before}`);
    const json = await cliJson(args(file), database.env);
    assert.deepEqual([json.state, json.counts], ['done', EXACT]);
    assert.equal(await countLeads('c'), EXACT.inserted);
  });
});
