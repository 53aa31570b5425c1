import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { entry } from '../../support/cli.ts';
import { cli } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import {
  database,
  file,
  home,
  insert,
  ours,
  path,
  reconcile,
  server,
  theirs,
} from './reconcile.scene.ts';

const LAST = (stdout: string) => stdout.trimEnd().split('\n').at(-1);

describe('leadwire reconcile', () => {
  it('prints one line of JSON with --json, and nothing else', async () => {
    const lead = await insert();
    await file('one.csv', ['external_lead_id,phone', `${lead.external_lead_id},+442079460018`]);
    const { code, stdout, stderr } = await reconcile('one.csv', ['--campaign', '1', '--json']);
    assert.deepEqual([code, stderr], [1, '']);
    const { external_lead_id, id: lead_id } = lead;
    const row = {
      line: 2,
      result: 'differs',
      campaign_id: 1,
      external_lead_id,
      lead_id,
      errors: [],
    };
    assert.deepEqual(JSON.parse(stdout), {
      ...{ file: path('one.csv'), rows: 1, fields: ['phone'], rows_named: [row] },
      counts: { agrees: 0, differs: 1, missing: 0, bad: 0 },
    });
  });

  it('reads files as an import does: what it found, what it is told, and the ids that it gave', async () => {
    const rows = ['Name;Mobil;Datum', 'Zoë Müller;030 1234567;31.01.2026 09:30', 'B;030 1234568;'];
    await writeFile(path('old.csv'), Buffer.from(rows.join('\r\n'), 'latin1'));
    const as = [
      '--campaign',
      '1',
      '--country',
      'de',
      '--dates',
      'dmy',
      '--time-zone',
      'Europe/Berlin',
    ];
    const map = ['--map', 'Datum=tcpa_consent_timestamp'];
    const args = ['import', path('old.csv'), '--account', ours.id, ...as, ...map];
    assert.equal((await cli(args, database.env)).code, 0);
    const { code, stdout, stderr } = await reconcile('old.csv', [...as, ...map]);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stderr, /read as Windows-1252/);
    assert.match(stderr, /No column is the external id/);
    assert.match(stderr, /Comparing phone, first_name, last_name, tcpa_consent_timestamp/);
    const other = await reconcile('old.csv', [...as, '--fields', 'phone', '--map', 'Name=']);
    assert.equal(other.code, 0, other.stdout);
  });

  it('compares more rows than fit into a request, each in its place', async () => {
    const leads = Array.from({ length: 1000 }, (_, n) =>
      newLead({ external_lead_id: `many-${n}` }),
    );
    const body = { leads };
    await server.call('POST', '/api/v1/insertion/leads/batch', { key: ours.full, body });
    const ids = Array.from({ length: 2300 }, (_, n) => (n % 2 ? `none-${n}` : `many-${n / 2}`));
    await file('many.csv', ['lead id,phone', ...ids.map((id) => `${id},+14155550132`)]);
    const { stdout } = await reconcile('many.csv', [
      '--campaign',
      '1',
      '--output',
      path('many-out.csv'),
    ]);
    assert.equal(LAST(stdout), '2,300 rows: 1,000 agree, 0 differ, 1,300 missing, 0 bad.');
    assert.match(stdout, /^1,280 rows more do not agree; all of them are in /m);
    const written = (await readFile(path('many-out.csv'), 'utf8')).trimEnd().split('\r\n').slice(1);
    const missing = ids.flatMap((id, n) =>
      n % 2 || n >= 2000 ? [`${n + 2},missing,1,${id},,`] : [],
    );
    assert.deepEqual(written, missing);
  });

  it('ends with the same code where nobody reads what it prints', async () => {
    const lead = await insert();
    await file('unread.csv', ['id,phone', `${lead.external_lead_id},${lead.phone}`]);
    const args = ['reconcile', '--file', path('unread.csv'), '--campaign', '1'];
    const child = spawn(process.execPath, [entry(), ...args, '--url', server.url], {
      env: { ...process.env, LEADWIRE_KEY: ours.reader.secret_key },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.destroy();
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('sees nothing of another account', async () => {
    const lead = await insert();
    await file('theirs.csv', ['external_lead_id,phone', `${lead.external_lead_id},${lead.phone}`]);
    const env = { LEADWIRE_KEY: theirs.full.secret_key };
    const { code, stdout } = await reconcile('theirs.csv', ['--campaign', '1'], env);
    assert.deepEqual([code, LAST(stdout)], [1, '1 row: 0 agree, 0 differ, 1 missing, 0 bad.']);
  });
});

describe('leadwire reconcile ends with 2 and a sentence, and leaves no file,', () => {
  const out = ['--output', path('never.csv')];
  const cases: [name: string, file: string, args: string[], says: RegExp, key?: string][] = [
    [
      'for an output that is the file itself',
      'a.csv',
      ['--campaign', '1', '--output', path('a.csv')],
      /a\.csv is the file that is compared/,
    ],
    [
      'for an output that is no file',
      'a.csv',
      ['--campaign', '1', '--output', path('pipe')],
      /pipe cannot be written: it is no file/,
    ],
    ['without a campaign', 'a.csv', [], /no column campaign_id.*--campaign/],
    [
      'for a column that is not there',
      'a.csv',
      ['--campaign', '1', '--map', 'X=phone'],
      /no column "X"/,
    ],
    [
      'for a target that is none',
      'a.csv',
      ['--campaign', '1', '--map', 'id=fon'],
      /target of --map must be/,
    ],
    [
      'for a field that no column goes to',
      'a.csv',
      ['--campaign', '1', '--fields', 'email'],
      /No column goes to email/,
    ],
    ['for a field that is none', 'a.csv', ['--fields', 'fon'], /"fon" is no field/],
    [
      'for a country that is none',
      'a.csv',
      ['--campaign', '1', '--country', 'XX'],
      /--country must be/,
    ],
    ['for a file that is not there', 'none.csv', [], /none\.csv cannot be read \(ENOENT\)/],
    ['for an empty file', 'empty.csv', [], /The file is empty/],
    ['for a file that is no text', 'zip.csv', [], /Excel workbook/],
    ['for a quote that never closes', 'quote.csv', ['--campaign', '1'], /from line 3 on/],
    ['for a key that is none', 'a.csv', ['--key', 'x'], /begins with lwsk_/],
    [
      'for a key that is refused',
      'a.csv',
      ['--campaign', '1'],
      /does not accept the key/,
      'lwsk_0',
    ],
    [
      'without leads:read',
      'a.csv',
      ['--campaign', '1'],
      /needs the scope leads:read/,
      ours.writer.secret_key,
    ],
    [
      'for a server with a path',
      'a.csv',
      ['--campaign', '1', '--url', 'http://127.0.0.1:1/x'],
      /--url: /,
    ],
  ];
  before(() => execFileSync('mkfifo', [path('pipe')]));
  for (const [name, from, args, says, key] of cases) {
    it(name, async () => {
      await file('a.csv', ['id,phone', 'a,+14155550132']);
      await writeFile(path('empty.csv'), '');
      await writeFile(path('zip.csv'), 'PK\x03\x04');
      await file('quote.csv', ['id,phone', 'a,+14155550132', 'b,"+1415']);
      const env = key ? { LEADWIRE_KEY: key } : {};
      const { code, stdout, stderr } = await reconcile(from, [...out, ...args], env);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, says);
      assert.doesNotMatch(stderr, /\n\s+at /);
      assert.ok((await readdir(home)).every((one) => !one.startsWith('never.csv')));
    });
  }
});
