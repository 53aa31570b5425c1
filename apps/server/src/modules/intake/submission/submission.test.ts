import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AppError } from '../../../platform/errors/index.ts';
import { escapeText } from '../../../platform/html/index.ts';
import type { PublicForm } from '../forms/form.ts';
import { wantsPage } from './accept.ts';
import { createAddressLimit } from './address-limit.ts';
import { inputsOf } from './inputs.ts';
import { pageUrlOf } from './page-url.ts';
import { againPage, formPage } from './pages/index.ts';
import { type Entry, readSubmission } from './read.ts';
import { toLead } from './to-lead.ts';

const FORM: PublicForm = {
  ...{ accountId: 'a', id: '01a1fe3a-5eeb-7004-b901-79314239b173', name: 'Solar', campaignId: 1 },
  keyId: 'k',
  fields: [
    { name: 'first', label: 'First name', to: 'first_name', required: false },
    { name: 'mail', label: 'E-mail', to: 'email', required: true },
    { name: 'tel', label: 'Phone', to: 'phone', required: false },
    { name: 'roof', label: 'Roof', to: 'custom_fields.roof', required: false },
  ],
  consent: { version: 2, required: false },
  consentTexts: new Map([
    [1, 'First.'],
    [2, 'Second.'],
  ]),
  ...{ minFillSeconds: 0, allowedOrigins: [], redirectUrl: null, source: null },
  ...{ defaultCountry: 'US', perAddressAMinute: 0, googleKeyHash: null },
};

const NOTHING = { referer: undefined };
const lead = (entries: Entry[], form = FORM) =>
  toLead(form, { entries, errors: [] }, NOTHING).input;

describe('a page of a form', () => {
  // Quotes, brackets and the like far more often than by chance.
  const nasty = fc.string({
    unit: fc.oneof(
      fc.constantFrom('<', '>', '"', "'", '&', '/', '\n', '\r', '\0', '\ud800', 'lt;', '<script>'),
      fc.string({ unit: 'binary', maxLength: 2 }),
    ),
    maxLength: 20,
  });

  test('shows every text as text, wherever it stands', () => {
    const markupOf = (text: string) => {
      const field = (name: string, to: string) => ({ name, to, label: text, required: true });
      const form = {
        ...{ ...FORM, name: text, consentTexts: new Map([[2, text]]) },
        fields: [field(`a${text}`, 'email'), field(`b${text}`, 'custom_fields.x')],
      };
      const inputs = inputsOf([
        [`a${text}`, text],
        [`b${text}`, `${text}\n`],
        [`c${text}`, text],
        [`d${text}`, { [text]: text }],
        ['_submission_id', text],
        ['_page_url', text],
      ]);
      const errors = ['a', 'c', '_consent', 'z'].map((name) => ({
        ...{ path: name.startsWith('_') ? name : name + text, code: 'x', message: text },
      }));
      const failure = new AppError({ status: 400, code: text, message: text, errors });
      const shown = againPage(form, failure, { inputs, pageUrl: text });
      return shown.body.markup + formPage(form, text).body.markup;
    };
    const skeleton = (markup: string) =>
      [...markup.matchAll(/<\/?[a-z]\w*|\s[a-z-]+=(?=")|"/g)].map(([token]) => token).join('');
    const [plain, ofLines] = [skeleton(markupOf('x')), skeleton(markupOf('x\ny'))];
    fc.assert(
      fc.property(nasty, (text) => {
        fc.pre(text.trim() !== '');
        assert.equal(skeleton(markupOf(text)), /[\r\n]/.test(text) ? ofLines : plain);
      }),
      { numRuns: 200 },
    );
  });

  test('gives back the text that it was made of', () => {
    const entities: Record<string, string> = {
      ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&#13;': '\r' },
    };
    fc.assert(
      fc.property(nasty, (text) => {
        const read = escapeText(text).replace(/&[#\w]+;/g, (one) => entities[one] ?? one);
        assert.equal(read, text.toWellFormed().replaceAll('\0', '\uFFFD'));
      }),
      { numRuns: 200 },
    );
  });
});

describe('a submission', () => {
  test('is read as it was sent, whatever the encoding, or refused', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { maxLength: 8 }), async (entries) => {
        const urlEncoded = await readSubmission(
          Buffer.from(new URLSearchParams(entries).toString()),
          { contentType: 'application/x-www-form-urlencoded', contentEncoding: undefined },
        );
        assert.deepEqual(urlEncoded, { entries, errors: [] });
      }),
      { numRuns: 50 },
    );
  });

  test('has one external id for the same fields in any order, and another one for others', () => {
    const fields: Entry[] = [
      ['mail', 'a@example.com'],
      ['first', 'Ada'],
      ['x', '1'],
    ];
    const [one, two, three] = [
      fields,
      [...fields.toReversed(), ['tel', ''], ['_elapsed_ms', '9'], ['_wpnonce', 'z']] as Entry[],
      [...fields, ['y', '1']] as Entry[],
    ].map((entries) => lead(entries).external_lead_id);
    assert.match(String(one), /^form:01a1fe3a5eeb7004b90179314239b173:=[0-9a-f]{32}$/);
    assert.equal(one, two);
    assert.notEqual(one, three);
  });

  test('keeps both where an unknown input has the name that a mapped one is stored by', () => {
    const { custom_fields: custom } = lead([
      ['mail', 'a@example.com'],
      ['roof', 'flat'],
      ['roof', 'green'],
    ]);
    assert.deepEqual(custom, { roof: ['flat', 'green'] });
  });

  test('takes a phone number of the chosen country, and none that is no number there', () => {
    const phone = (tel: string) =>
      lead([
        ['mail', 'a@example.com'],
        ['tel', tel],
      ]).phone;
    assert.equal(phone(' (415) 555-0132 '), '+14155550132');
    assert.equal(phone('+49 30 123456'), '+4930123456');
    for (const bad of ['12345', '+1', 'call me', '1'.repeat(60)]) {
      assert.throws(() => phone(bad), { code: /^Phone must be/ }, bad);
    }
  });
});

describe('the answer', () => {
  test('is a page where text/html is named first or preferred, else JSON', () => {
    const chrome = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    for (const accept of [chrome, 'text/html', 'text/html, application/json', 'TEXT/HTML;q=0.5']) {
      assert.equal(wantsPage(accept), true, accept);
    }
    for (const accept of [
      ...[undefined, '', '*/*', 'application/json', 'application/json, text/html'],
      ...['text/html;q=0.1, application/json', 'text/html;q=0', 'text/htmlx'],
    ]) {
      assert.equal(wantsPage(accept), false, accept);
    }
  });

  test('names the page that the form was sent from without fragment and credentials, or none', () => {
    const url = 'https://shop.example/a?b=c';
    assert.equal(pageUrlOf('https://u:p@shop.example/a?b=c#d', 'https://x.example/'), url);
    assert.equal(pageUrlOf(undefined, url), url);
    const none = ['javascript:alert(1)', 'x', '', `https://x.example/${'a'.repeat(2048)}`];
    for (const text of none) assert.equal(pageUrlOf(text, undefined), null, text);
  });
});

test('the limit of an address counts each minute and each form by itself', () => {
  let now = 0;
  const limit = createAddressLimit(() => now);
  assert.deepEqual(
    [limit.take('a', 2), limit.take('a', 2), limit.take('b', 2), limit.take('a', 0)],
    [null, null, null, null],
  );
  now = 15_500;
  assert.deepEqual(limit.take('a', 2), { resetSeconds: 45 });
  now = 60_000;
  assert.equal(limit.take('a', 2), null);
});
