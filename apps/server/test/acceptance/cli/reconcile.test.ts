import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { cli } from '../../support/index.ts';
import { database, file, home, insert, ours, path, reconcile, server } from './reconcile.scene.ts';

describe('leadwire reconcile', () => {
  it('says of a file that leadwire export has written that all agree, and ends with 0', async () => {
    await insert({
      ...{ email: 'Ada@EXAMPLE.com', first_name: '=1+1', last_name: " ' O'Neil ", source: '' },
      ...{ tcpa_consent: false, tcpa_consent_timestamp: '2026-01-15T23:30:00.5+02:00' },
      ...{ tcpa_consent_text: 'two\r\nlines, "quoted"', source_form_url: 'https://a.example/?b=c' },
      ...{ status: 'qualified', address: { city: 'Köln', zip: '', street: '-1' } },
      ...{ custom_fields: { n: [1.5, -0, 1e21, null], t: '+x', '': {}, 'a.b': '\u2028😀' } },
    });
    await insert({
      campaign_id: 2,
      phone: null,
      email: 'a@b.example',
      external_lead_id: ' a,"b" ',
    });
    const body = { address: { street: null, city: null } };
    const emptied = await insert({ address: { street: 'a', city: 'b' } });
    await server.call('PATCH', `/api/v1/insertion/leads/${emptied.id}`, { key: ours.full, body });
    const env = database.env;
    const args = ['export', '--account', ours.id, '--output', path('export.csv')];
    assert.equal((await cli(args, env)).code, 0);
    const { code, stdout, stderr } = await reconcile('export.csv');
    assert.equal(stdout, '3 rows: 3 agree, 0 differ, 0 missing, 0 bad.\n', stderr);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Comparing phone, email, first_name, .*address\.$/m);
  });

  it('names rows that differ, are missing or cannot be read, and ends with 1', async () => {
    const [agrees, differs] = [await insert({ first_name: 'Ada' }), await insert()];
    await file('rows.csv', [
      'campaign_id,external_lead_id,Mobile,Vorname',
      `1,${agrees.external_lead_id},+1 (415) 555-0132,Ada`,
      `1,${differs.external_lead_id},${differs.phone},Grace`,
      `1,"=a ""b""",+14155550132,`,
      `x,c,+14155550132,`,
      `1,d,415,`,
      `1,e`,
      `2,${agrees.external_lead_id},+14155550132,Ada`,
    ]);
    const { code, stdout, stderr } = await reconcile('rows.csv', ['--output', path('out.csv')]);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^Comparing phone, first_name\.$/m);
    assert.deepEqual(stdout.trimEnd().split('\n'), [
      `Line 3 differs: "${differs.external_lead_id}" of campaign 1, stored as ${differs.id}`,
      'Line 4 is missing: "=a \\"b\\"" of campaign 1',
      'Line 5 cannot be read: campaign_id must be an integer from 1 to 2147483647',
      'Line 6 cannot be read: Mobile: phone has no plus sign: choose the country of such numbers',
      'Line 7 cannot be read: The row has 2 cells, the header 4. Is a quotation mark or a separator missing, or one too many?',
      `Line 8 is missing: "${agrees.external_lead_id}" of campaign 2`,
      '7 rows: 1 agree, 1 differ, 2 missing, 3 bad.',
    ]);
    const written = (await readFile(path('out.csv'), 'utf8')).slice(1).trimEnd().split('\r\n');
    assert.equal(written[0], 'line,result,campaign_id,external_lead_id,lead_id,errors');
    assert.equal(written[1], `3,differs,1,${differs.external_lead_id},${differs.id},`);
    assert.equal(written[2], `4,missing,1,"'=a ""b""",,`);
    assert.equal(written.length, 7);
    assert.equal((await stat(path('out.csv'))).mode & 0o777, 0o600);
    assert.ok((await readdir(home)).every((name) => !name.endsWith('.part')));
  });

  it('ends with 2 where the key has something around it, and does not repeat it', async () => {
    const { code, stderr } = await reconcile('a.csv', [], { LEADWIRE_KEY: 'lwsk_abc\r' });
    assert.equal(code, 2);
    assert.match(stderr, /^--key, or LEADWIRE_KEY: /);
    assert.doesNotMatch(stderr, /abc|\n\s+at /);
  });

  it('ends with 2 and a sentence where the service refuses the key', async () => {
    await file('a.csv', ['id,phone', 'a,+14155550132']);
    const { code, stdout, stderr } = await reconcile('a.csv', ['--campaign', '1'], {
      LEADWIRE_KEY: 'lwsk_0',
    });
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, /does not accept the key/);
  });
});
