import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Json, openDashboard } from '../../support/index.ts';
import { importsOf } from './uploads.ts';

const { database, server, ours, theirs, people, as } = await openDashboard();
const member = importsOf(as('member'), ours.id);

const leadOf = async (externalId: string): Promise<Json> => {
  const [row] = await database.query<{ lead: Json }>(
    `SELECT row_to_json(l) AS lead FROM leads l WHERE account_id = '${ours.id}' AND external_lead_id = '${externalId}'`,
  );
  const lead = row?.lead;
  return typeof lead === 'string' ? JSON.parse(lead) : lead;
};

const countLeads = async (source: string): Promise<number> => {
  const [row] = await database.query<{ n: string }>(
    `SELECT count(*) AS n FROM leads WHERE account_id = '${ours.id}' AND source = '${source}'`,
  );
  return Number(row?.n);
};

/** A file of so many leads; a row in a hundred has a phone number that is none. */
const manyRows = (rows: number, name: string) =>
  `Lead ID,E-Mail,Telefon,Vorname,Note\r\n${Array.from({ length: rows }, (_, i) => {
    const phone = i % 100 === 57 ? '+49 30' : `+4930${1_000_000 + i}`;
    return `${name}-${i},${name}${i}@example.com,${phone},"Ann, ${i}","=1+${i}"`;
  }).join('\r\n')}\r\n`;

describe('a file of a thousand rows, ten of them bad', () => {
  const file = manyRows(1000, 'k');
  let id = '';

  test('is recognised: encoding, separator, what the columns mean', async () => {
    const one = await member.upload(file, 'last year.csv');
    id = one.id;
    assert.equal(one.state, 'ready', JSON.stringify(one));
    assert.deepEqual(one.detected, { encoding: 'utf-8', separator: ',', remembered: false });
    assert.deepEqual(one.settings.columns, [
      ...['external_lead_id', 'email', 'phone', 'first_name', 'custom_fields.Note'],
    ]);
    const preview = await member.must('GET', `/${id}/preview`);
    assert.deepEqual(preview.columns, ['Lead ID', 'E-Mail', 'Telefon', 'Vorname', 'Note']);
    assert.deepEqual(preview.rows[1], ['k-1', 'k1@example.com', '+49301000001', 'Ann, 1', '=1+1']);
    assert.deepEqual(preview.warnings, []);
  });

  test('is not checked or started before it is known for which campaign and where it is from', async () => {
    for (const act of ['check', 'start']) {
      const answer = await member.ask('POST', `/${id}/${act}`);
      assert.equal(answer.status, 400);
      const paths = answer.json.errors.map(({ path }: Json) => path);
      assert.deepEqual(paths, ['campaign_id', 'source']);
    }
    const wrong = { campaign_id: 99, columns: ['phone', 'phone', 'nonsense', null, null] };
    const answer = await member.ask('PATCH', `/${id}`, wrong);
    assert.equal(answer.status, 400);
    const paths = answer.json.errors.map(({ path }: Json) => path);
    assert.deepEqual(paths, ['campaign_id', 'columns.1', 'columns.2']);
  });

  test('is checked without a lead being written, and each bad row is named', async () => {
    await member.must('PATCH', `/${id}`, { campaign_id: 2, source: 'last year' });
    await member.must('POST', `/${id}/check`);
    const one = await member.until(id, 'checked');
    assert.deepEqual(one.check, { rows: 1000, good: 990, bad: 10, phones_by_default_country: 0 });
    assert.deepEqual(one.progress, { rows: 1000, of: 1000 });
    assert.equal(await countLeads('last year'), 0);
    const bad = await member.badRows(id);
    assert.equal(bad.length, 10);
    assert.deepEqual(bad[0], {
      line: 59,
      errors: [
        {
          ...{ field: 'phone', column: 'Telefon', code: 'format' },
          message: 'phone is not an international number',
        },
      ],
    });
    assert.match(await member.result(id), /^﻿line,outcome,.*\n2,good,,,,k-0,/);
  });

  test('is imported: leads with their audit record, and a result file with every row', async () => {
    await member.must('POST', `/${id}/start`);
    const one = await member.until(id, 'done');
    assert.deepEqual(one.counts, { inserted: 990, patched: 0, deduped: 0, failed: 10 });
    assert.equal(one.failure, null);
    assert.ok(one.file_kept_until > one.finished_at);
    const lead = await leadOf('k-7');
    assert.equal(lead.phone, '+49301000007');
    assert.equal(lead.campaign_id, 2);
    assert.deepEqual(lead.custom_fields, { Note: '=1+7' });
    const [audit] = await database.query<Json>(
      `SELECT actor_type, request_id FROM lead_audit_records WHERE account_id = '${ours.id}' AND lead_id = '${lead.id}'`,
    );
    assert.equal(audit.actor_type, 'user');
    assert.equal(audit.request_id, `${id}:9`);
    const lines = (await member.result(id)).trimEnd().split('\n');
    assert.equal(lines.length, 1001);
    assert.equal(
      lines[8],
      `9,inserted,${lead.id},k-7,,k-7,k7@example.com,'+49301000007,"Ann, 7",'=1+7`,
    );
    assert.match(
      lines[58] ?? '',
      /^59,failed,,,Telefon: phone is not an international number,k-57,/,
    );
  });

  test('makes no second lead when it is sent again, and its columns are remembered', async () => {
    const again = await member.upload(file);
    assert.equal(again.detected.remembered, true);
    assert.equal(again.settings.source, 'last year');
    await member.must('POST', `/${again.id}/start`);
    const { counts } = await member.until(again.id, 'done');
    assert.deepEqual(counts, { inserted: 0, patched: 0, deduped: 990, failed: 10 });
    assert.equal(await countLeads('last year'), 990);
    const answer = await member.ask('POST', `/${again.id}/start`);
    assert.equal(answer.status, 409);
  });

  test('is nothing to another account, and a viewer may only look', async () => {
    const stranger = importsOf(as('stranger'), theirs.id);
    for (const path of [`/${id}`, `/${id}/preview`, `/${id}/bad-rows`, `/${id}/result`]) {
      assert.equal((await stranger.ask('GET', path)).status, 404, path);
    }
    for (const act of ['check', 'start', 'stop']) {
      assert.equal((await stranger.ask('POST', `/${id}/${act}`)).status, 404, act);
    }
    assert.deepEqual((await stranger.must('GET', '')).imports, []);
    const viewer = importsOf(as('viewer'), ours.id);
    assert.equal((await viewer.must('GET', `/${id}`)).made_by, people.member.name);
    assert.equal((await viewer.ask('POST', `/${id}/start`)).status, 403);
    assert.equal((await viewer.ask('GET', `/${id}/result`)).status, 403);
  });
});

describe('a file is read', () => {
  const utf16 = (text: string, bom: string) => Buffer.from(bom + text, 'utf16le');
  const kinds: [name: string, content: string | Buffer, detected: Json][] = [
    ['with a byte order mark', '﻿Email,Name\nö1@example.com,Zoë\n', ['utf-8', ',']],
    [
      'that names its separator first',
      'sep=;\r\nEmail;Name\r\no1@example.com;Zoë\r\n',
      ['utf-8', ';'],
    ],
    ['in UTF-16 with tabs', utf16('Email\tName\nö2@example.com\tZoë\n', '﻿'), ['utf-16le', '\t']],
    [
      'in big-endian UTF-16 without a mark',
      utf16('Email;Name\nö3@example.com;Zoë\n', '').swap16(),
      ['utf-16be', ';'],
    ],
    [
      'in Windows-1252 with semicolons, said to be a guess',
      Buffer.from('Email;Name;Betrag\nx4@example.com;Zo\xeb;1,5 \x80\n', 'latin1'),
      ['windows-1252', ';'],
    ],
    [
      'with quotes across lines, empty lines and mixed line ends',
      '"Email"|"Name"\r\n\r\nx5@example.com|"Zo\në ""Z"" |"\n|\n"x6@example.com"|Zoë\r',
      ['utf-8', '|'],
    ],
  ];
  for (const [name, content, [encoding, separator]] of kinds) {
    test(name, async () => {
      const one = await member.upload(content);
      assert.deepEqual([one.detected?.encoding, one.detected?.separator], [encoding, separator]);
      const { rows, warnings } = await member.must('GET', `/${one.id}/preview`);
      assert.match(rows.at(-1)[0], /@example\.com$/);
      assert.match(rows.at(-1)[1], /^Zoë$/);
      const codes = warnings.map(({ code }: Json) => code);
      assert.deepEqual(codes, encoding === 'windows-1252' ? ['encoding_unsure'] : []);
      if (separator !== '|') return;
      assert.deepEqual(rows[0], ['x5@example.com', 'Zo\në "Z" |']);
      await member.must('PATCH', `/${one.id}`, { campaign_id: 1, source: 'quotes' });
      await member.must('POST', `/${one.id}/start`);
      assert.equal((await member.until(one.id, 'done')).counts.inserted, 2);
      const lines = (await member.result(one.id)).match(/^\d+,inserted/gm);
      assert.deepEqual(lines, ['3,inserted', '6,inserted']);
    });
  }

  test('by another separator when a person says so, with its columns anew', async () => {
    const one = await member.upload('Email;Phone,Name\na@example.com;1,Ann\n');
    const other = one.settings.separator === ',' ? ';' : ',';
    const changed = await member.must('PATCH', `/${one.id}`, { separator: other });
    const { columns } = await member.must('GET', `/${one.id}/preview`);
    const expected = other === ';' ? ['Email', 'Phone,Name'] : ['Email;Phone', 'Name'];
    assert.deepEqual(columns, expected);
    assert.equal(changed.settings.columns.length, 2);
  });
});

describe('a row is refused with its line, its column and the reason', () => {
  test('phone numbers without a plus sign need a country, times an order and a zone', async () => {
    const file = [
      'Email,Phone,Consent,Consent date,Status',
      'd1@example.com,030 1234567,ja,31.12.2025 18:30,Neu',
      'd2@example.com,+49 30 1234567,nein,2025-12-31T18:30:00+01:00,qualified',
      'd3@example.com,,maybe,,',
      'd4@example.com,,,02/01/2025,lost',
    ].join('\n');
    const strict = await member.run(file, { source: 'strict' });
    assert.deepEqual(strict.counts, { inserted: 1, patched: 0, deduped: 0, failed: 3 });
    const found = (await member.badRows(strict.id)).map(({ line, errors }) => [
      line,
      ...errors.map(({ column, code }: Json) => `${column} ${code}`),
    ]);
    assert.deepEqual(found, [
      [2, 'Phone country_needed', 'Consent date format'],
      [4, 'Consent format'],
      [5, 'Consent date format'],
    ]);
    const settings = { default_country: 'DE', date_order: 'dmy', time_zone: 'Europe/Berlin' };
    const told = await member.run(file, { source: 'told', ...settings });
    assert.deepEqual(told.counts, { inserted: 1, patched: 1, deduped: 0, failed: 2 });
    const [, last] = await member.badRows(told.id);
    assert.deepEqual(last.errors[0].column, 'Status');
    const [lead] = await database.query<Json>(
      `SELECT phone, tcpa_consent, tcpa_consent_timestamp::text AS at, status FROM leads
       WHERE account_id = '${ours.id}' AND email = 'd1@example.com'`,
    );
    assert.deepEqual(Object.values(lead), ['+49301234567', true, '2025-12-31 17:30:00+00', 'new']);
  });

  test('rows with too many or too few cells, without contact; equal headers stay apart', async () => {
    const file =
      'Email,Note,Note\nr1@example.com,a,b\nr2@example.com,a\nr3@example.com,a,b,c\n,x,y\n';
    const { id, counts } = await member.run(file, { source: 'ragged' });
    assert.deepEqual(counts, { inserted: 1, patched: 0, deduped: 0, failed: 3 });
    const bad = await member.badRows(id);
    assert.deepEqual(
      bad.map(({ line, errors }) => [line, errors[0].code]),
      [
        [3, 'ragged'],
        [4, 'ragged'],
        [5, 'required'],
      ],
    );
    assert.match(bad[0].errors[0].message, /has 2 cells, the header 3/);
    const { warnings } = await member.must('GET', `/${id}/preview`);
    const codes = warnings.map(({ code }: Json) => code);
    assert.deepEqual(codes, ['duplicate_headers', 'ragged_rows']);
    const [lead] = await database.query<Json>(
      `SELECT custom_fields::text FROM leads WHERE account_id = '${ours.id}' AND email = 'r1@example.com'`,
    );
    assert.deepEqual(JSON.parse(lead.custom_fields), { Note: 'a', Note_2: 'b' });
  });
});

describe('a file that cannot be read says why', () => {
  test('empty, too large, a workbook, zero bytes, a header alone', async () => {
    assert.equal((await member.upload('')).failure.code, 'empty_file');
    const large = await member.ask('POST', '', { file_name: 'x.csv', bytes: 104_857_601 });
    assert.equal(large.status, 400);
    assert.match(large.json.error, /100 MiB/);
    const workbook = await member.upload(Buffer.from('PK\x03\x04xxxx', 'latin1'));
    assert.equal(workbook.state, 'failed');
    assert.match(workbook.failure.message, /save it as CSV/);
    const zeros = await member.upload(Buffer.alloc(1000));
    assert.equal(zeros.failure.code, 'not_text');
    assert.equal((await member.upload('Email,Phone\n')).failure.code, 'no_rows');
    assert.equal((await member.ask('POST', `/${zeros.id}/start`)).status, 409);
  });

  test('a quotation mark that never closes: what came before it is in, and the line is named', async () => {
    const { id } = await member.upload('Email,Note\nq1@example.com,a\nq2@example.com,"b\n');
    await member.must('PATCH', `/${id}`, { campaign_id: 1, source: 'quote' });
    await member.must('POST', `/${id}/start`);
    const { failure } = await member.until(id, 'failed');
    assert.match(failure.message, /from line 3 on/);
    assert.equal(await countLeads('quote'), 1);
  });

  test('parts of another size, or that the file does not have, are refused; one sent twice counts once', async () => {
    const { id } = await member.must('POST', '', { file_name: 'p.csv', bytes: 5_000_000 });
    const part = Buffer.alloc(4 * 1024 * 1024, 'a,b\n');
    for (const [number, body] of [
      ['1', part],
      ['2', part],
      ['0', Buffer.from('short')],
    ] as const) {
      const answer = await member.ask('POST', `/${id}/parts/${number}`, body);
      assert.equal(answer.status, 400, answer.text);
    }
    for (const _time of [1, 2]) {
      const { parts } = await member.must('POST', `/${id}/parts/0`, part);
      assert.deepEqual(parts, { arrived: 1, of: 2 });
    }
  });

  test('more than a GiB that nobody imports is not kept for an account; what waits longest makes room', async () => {
    const stranger = importsOf(as('stranger'), theirs.id);
    const create = () => stranger.ask('POST', '', { file_name: 'x.csv', bytes: 100 * 1024 * 1024 });
    const made: Json[] = [];
    for (let n = 0; n < 10; n++) made.push((await create()).json);
    assert.equal((await create()).status, 409);
    const less = await stranger.ask('POST', '', { file_name: 'x.csv', bytes: -1 });
    assert.equal(less.json.error, 'bytes must be an integer from 0 on');
    await database.query(
      `UPDATE imports SET created_at = created_at - interval '2 hours' WHERE account_id = '${theirs.id}'`,
    );
    assert.equal((await create()).status, 200);
    const [oldest, next] = await Promise.all(
      made.slice(0, 2).map(({ id }) => stranger.must('GET', `/${id}`)),
    );
    assert.deepEqual([oldest.state, oldest.failure.code], ['failed', 'file_gone']);
    assert.equal(next.state, 'uploading');
    assert.equal((await member.ask('POST', '', { file_name: 'x.csv', bytes: 9 })).status, 200);
  });
});

test('an import that is stopped goes on where it stopped, and posts are answered meanwhile', async () => {
  const { id } = await member.upload(manyRows(8_000, 's'));
  await member.must('PATCH', `/${id}`, { campaign_id: 3, source: 'stopped' });
  await member.must('POST', `/${id}/start`);
  const body = { campaign_id: 1, external_lead_id: 'meanwhile', email: 'm@example.com' };
  const post = await server.call('POST', '/api/v1/insertion/leads', { key: ours.full, body });
  assert.equal(post.status, 201);
  await member.must('POST', `/${id}/stop`);
  const stopped = await member.must('GET', `/${id}`);
  assert.equal(stopped.state, 'stopped');
  await member.must('POST', `/${id}/start`);
  const { counts } = await member.until(id, 'done');
  assert.deepEqual(counts, { inserted: 7_920, patched: 0, deduped: 0, failed: 80 });
});

test('rows that were imported before a crash are not written again: what was changed since stays', async () => {
  const file =
    'Lead ID,Email,Note\nw-1,w1@example.com,a\nw-2,w2@example.com,b\nw-1,w1@example.com,c\n';
  const { id, counts } = await member.run(file, { source: 'crashed' });
  const { id: lead } = await leadOf('w-2');
  const body = { custom_fields: { Note: 'changed since' } };
  const { status } = await server.call('PATCH', `/api/v1/insertion/leads/${lead}`, {
    key: ours.full,
    body,
  });
  assert.equal(status, 200);
  // As if its process had died before it could write down what became of them.
  await database.query(
    `WITH outcomes AS (DELETE FROM import_outcomes WHERE replace(import_id::text, '-', '') = '${id.slice(4)}')
     UPDATE imports SET state = 'running', rows_done = 0, inserted = 0, patched = 0, finished_at = NULL
     WHERE replace(id::text, '-', '') = '${id.slice(4)}'`,
  );
  assert.deepEqual((await member.until(id, 'done')).counts, counts);
  assert.deepEqual(counts, { inserted: 2, patched: 1, deduped: 0, failed: 0 });
  assert.equal((await leadOf('w-2')).custom_fields.Note, 'changed since');
  const versions = await Promise.all(['w-1', 'w-2'].map(leadOf));
  assert.deepEqual(
    versions.map(({ version }) => version),
    [2, 2],
  );
  assert.match(await member.result(id), /\n2,inserted,.*\n3,inserted,.*\n4,patched,/);
});
