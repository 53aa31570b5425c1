import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { childEnvironment, entry } from '../../support/cli.ts';
import { assertFailure } from '../../support/failure.ts';
import { cli, eventually, type Json, openDashboard } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { importsOf } from '../intake/uploads.ts';
import { LEADS } from './lead-scene.ts';

const { database, server, ours, theirs, people, as } = await openDashboard();
const [member, viewer, stranger] = [as('member'), as('viewer'), as('stranger')];
const directory = await mkdtemp(join(tmpdir(), 'leadwire-export-'));
after(() => rm(directory, { recursive: true, force: true }));

type Query = Record<string, string | number>;

const download = (query: Query = {}, who = member, account = ours.id) =>
  who.call('GET', `/accounts/${account}/leads/export?${new URLSearchParams(query as never)}`);

async function exported(query: Query = {}): Promise<Json[]> {
  const answer = await download({ ...query, format: 'ndjson' });
  assert.equal(answer.status, 200, answer.text);
  return linesOf(answer.text).map((line) => JSON.parse(line));
}

const linesOf = (text: string): string[] => text.split('\n').slice(0, -1);

const idsOf = (leads: Json[]): string[] => leads.map(({ id }) => id);

async function insert(fields: object, key = ours.full): Promise<Json> {
  const answer = await server.call('POST', LEADS, { key, body: newLead({ ...fields }) });
  assert.equal(answer.status, 201, answer.text);
  return answer.json.lead;
}

/** Long enough to be more than one page, and more than a pipe holds. */
async function insertMany(count: number, fields: object): Promise<string[]> {
  const leads = Array.from({ length: count }, () => newLead({ ...fields }));
  const answer = await server.call('POST', `${LEADS}/batch`, { key: ours.full, body: { leads } });
  assert.equal(answer.json.counts.inserted, count, answer.text);
  return answer.json.results.map((result: Json) => result.lead_id);
}

const many = await insertMany(600, {
  source: 'many',
  custom_fields: { note: 'So that no pipe holds all of it. '.repeat(8) },
});

describe('an export of leads', () => {
  test('has every lead once, newest first, while leads are inserted and changed', async () => {
    const isWriting = { now: true };
    const write = async () => {
      for (let n = 0; isWriting.now; n++) {
        await insert({ source: 'meanwhile' });
        const path = `${LEADS}/${many[(n * 7) % many.length]}`;
        await server.call('PATCH', path, { key: ours.full, body: { first_name: `N${n}` } });
      }
    };
    const writing = write();
    for (let n = 0; n < 3; n++) {
      const found = await exported();
      const ids = idsOf(found);
      assert.equal(new Set(ids).size, ids.length, 'a lead came twice');
      assert.deepEqual(
        many.filter((id) => !ids.includes(id)),
        [],
      );
      const times = found.map((lead) => lead.created_at);
      assert.deepEqual(times, times.toSorted().reverse());
    }
    isWriting.now = false;
    await writing;
  });

  test('as NDJSON has each lead as the public API shows it', async () => {
    const lead = await insert({
      source: 'as shown',
      email: 'ada@example.com',
      tcpa_consent: true,
      tcpa_consent_timestamp: '2026-01-15T10:30:00Z',
      custom_fields: { a: { b: [1, null, 'é\u2028'] } },
      address: { city: 'Zürich' },
    });
    const answer = await download({ source: 'as shown', format: 'ndjson' });
    assert.equal(answer.text, `${JSON.stringify(lead)}\n`);
    assert.equal(answer.headers['content-type'], 'application/x-ndjson');
    const today = new Date().toISOString().slice(0, 10);
    assert.equal(
      answer.headers['content-disposition'],
      `attachment; filename="leads-${today}.ndjson"`,
    );
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  test('has the leads that the list shows for the same filter and search', async () => {
    const at = { campaign_id: 2, source: 'found', status: 'qualified' };
    const lead = await insert({ ...at, first_name: 'Wilhelmina', last_name: 'Øst' });
    await insert({ source: 'found', email: 'Found@Example.com', last_name: 'Wilhelm' });
    await insert({ source: 'found', campaign_id: 3, external_lead_id: 'wilhelm' });
    const filters: [Query, number][] = [
      [{ source: 'found' }, 3],
      [{ campaign_id: 2 }, 1],
      [{ status: 'qualified' }, 1],
      [at, 1],
      [{ source: 'found', created_after: lead.created_at }, 2],
      [{ source: 'found', created_before: lead.created_at }, 0],
      [{ source: 'found', search: ' +1 415-555-0132 ' }, 3],
      [{ search: 'found@example.COM' }, 1],
      [{ search: 'wilhelm' }, 1],
      [{ search: 'ilhelm' }, 2],
      [{ search: 'mina ø' }, 1],
      [{ search: '%' }, 0],
    ];
    for (const [filter, count] of filters) {
      const query = new URLSearchParams(filter as never);
      const { json } = await viewer.call('GET', `/accounts/${ours.id}/leads?limit=100&${query}`);
      const ids = idsOf(await exported(filter));
      assert.deepEqual(ids, idsOf(json.leads), JSON.stringify(filter));
      assert.equal(ids.length, count, JSON.stringify(filter));
    }
  });

  test('as CSV keeps every character, and defuses what a spreadsheet would take for a formula', async () => {
    const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', '＋1', '－1', '＠1'];
    // Some spreadsheets drop what cannot be seen.
    FORMULAS.push('  =1', '\n=1', '\uFEFF=1', '\u00A0\n＝1');
    for (const formula of FORMULAS) await insert({ source: 'formulas', first_name: formula });
    const plain = [
      'a "quoted" one',
      'two\nlines',
      'two\r\nmore',
      'a,b;c',
      "O'Hara",
      ' 李 😀 ',
      '1=2',
    ];
    for (const text of plain) await insert({ source: 'plain', last_name: text });
    await insert({
      source: 'plain',
      address: { zip: '-0', city: 'a' },
      custom_fields: { x: '=1' },
    });
    const [defused, kept] = await Promise.all(
      ['formulas', 'plain'].map(async (source) => rowsOf((await download({ source })).text)),
    );
    assert.deepEqual(
      defused?.map((row) => row.first_name).reverse(),
      FORMULAS.map((formula) => `'${formula}`),
    );
    assert.ok(defused?.every((row) => row.phone === "'+14155550132"));
    const [last, ...others] = kept ?? [];
    assert.deepEqual(others.map((row) => row.last_name).reverse(), plain);
    assert.equal(last?.['address.zip'], "'-0");
    assert.equal(last?.['address.city'], 'a');
    assert.equal(last?.['address.street'], '');
    assert.deepEqual(JSON.parse(last?.custom_fields as string), { x: '=1' });
  });

  test('as CSV is imported again without a change to any lead', async () => {
    const odd: object[] = [
      { external_lead_id: ' spaced ', first_name: ' Ann ', tcpa_consent: true },
      { external_lead_id: "'=1", first_name: "''-1", last_name: "'tis", tcpa_consent: false },
      { external_lead_id: '=1', tcpa_consent_timestamp: '2026-01-15T10:30:00.123456Z' },
      { phone: '+4930901820', tcpa_consent_text: 'two\r\nlines, "q"\n', status: 'contacted' },
      { custom_fields: { a: 1.5, 'b.c': [1, null, { d: 'x' }], '': "'=1", deep: { e: true } } },
    ];
    for (const fields of odd) await insert({ ...fields, campaign_id: 3, source: 'again' });
    const { text } = await download({ campaign_id: 3 });
    const before = await exported({ campaign_id: 3 });
    const settings = { campaign_id: 3, source: 'another' };
    const { counts } = await importsOf(member, ours.id).run(text, settings);
    const none = { inserted: 0, patched: 0, failed: 0 };
    assert.deepEqual(counts, { ...none, deduped: before.length });
    assert.deepEqual(await exported({ campaign_id: 3 }), before);
  });

  test('of nothing is a row of names, or nothing', async () => {
    const answer = await download({ source: 'nobody' });
    assert.equal(
      answer.text,
      '\uFEFFexternal_lead_id,id,campaign_id,status,first_name,last_name,phone,email,source,source_form_url,' +
        'tcpa_consent,tcpa_consent_text,tcpa_consent_timestamp,address.street,address.city,address.state,' +
        'address.zip,custom_fields,created_at,updated_at\r\n',
    );
    assert.deepEqual(await exported({ source: 'nobody' }), []);
  });

  test('is not for viewers, and never has leads of another account', async () => {
    const foreign = await insert({ source: 'theirs' }, theirs.full);
    assertFailure(await download({}, viewer), 403, 'permission_required:leads.export');
    assertFailure(await download({}, stranger), 404, 'not_found');
    assert.deepEqual(await exported({ source: 'theirs' }), []);
    assert.ok(!idsOf(await exported({ campaign_id: 1 })).includes(foreign.id));
    const own = await download({ format: 'ndjson' }, stranger, theirs.id);
    assert.deepEqual(idsOf(linesOf(own.text).map((line) => JSON.parse(line))), [foreign.id]);
  });

  test('refuses what is no filter or format before anything is sent', async () => {
    for (const query of [{ format: 'xlsx' }, { status: 'odd' }, { limit: 1 }, { search: '\0' }]) {
      assert.equal((await download(query as Query)).status, 400, JSON.stringify(query));
    }
  });

  test('is noted in the log with who and how many, and nothing of the leads', async () => {
    const search = 'found@example.com';
    await exported({ search });
    const line = await eventually(() => {
      const lines = server.logLines().filter(({ msg }) => msg === 'leads were exported');
      const last = lines.findLast(({ account }) => account === ours.id);
      assert.equal(last?.leads, 1);
      return last;
    });
    assert.equal(line.person, people.member.id);
    assert.ok(!server.logs().toLowerCase().includes(encodeURIComponent(search)));
  });
});

function rowsOf(text: string): Record<string, string>[] {
  assert.ok(text.startsWith('\uFEFFexternal_lead_id,'));
  return parse(text, { bom: true, columns: true, record_delimiter: '\r\n' });
}

describe('the command export', () => {
  const run = (...args: string[]) => cli(['export', '--account', ours.id, ...args], database.env);

  test('writes what the dashboard gives, to standard output or to a file that only its owner may read', async () => {
    const filter = ['--source', 'found', '--campaign', '2', '--status', 'qualified'];
    const { text } = await download({ source: 'found', campaign_id: 2, status: 'qualified' });
    const toStdout = await run(...filter);
    assert.deepEqual({ ...toStdout }, { code: 0, stdout: text, stderr: '1 lead exported.\n' });
    const file = join(directory, 'leads.ndjson');
    const toFile = await run('--format', 'ndjson', '--search', 'wilhelm', '--output', file);
    assert.equal(toFile.stdout, '');
    assert.equal(
      await readFile(file, 'utf8'),
      (await download({ format: 'ndjson', search: 'wilhelm' })).text,
    );
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(directory), ['leads.ndjson']);
  });

  test('says what is wrong with a file that cannot be written, and leaves nothing of it', async () => {
    const taken = join(directory, 'taken');
    await mkdir(taken);
    const { code, stderr } = await run('--output', taken);
    assert.equal(code, 1);
    assert.match(stderr, /cannot be written \(EISDIR\)/);
    assert.deepEqual((await readdir(directory)).sort(), ['leads.ndjson', 'taken']);
  });

  test('ends without a complaint where nobody reads on', async () => {
    const child = spawn(process.execPath, [entry(), 'export', '--account', ours.id], {
      env: childEnvironment(database.env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let complaint = '';
    child.stderr.on('data', (chunk) => {
      complaint += chunk;
    });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    assert.equal(code, 0, complaint);
    assert.doesNotMatch(complaint, /EPIPE|Error/);
  });
});
