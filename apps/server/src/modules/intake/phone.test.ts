import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readPhone } from './phone.ts';

describe('a phone number as people write it', () => {
  for (const [text, country, phone] of [
    ['030 123456', 'DE', '+4930123456'],
    ['(415) 555-0132', 'US', '+14155550132'],
    ['0049 30 123456', 'DE', '+4930123456'],
    ['0039 06 698 12345', 'DE', '+390669812345'],
  ] as const) {
    test(`without a plus sign is one of the chosen country: ${text}`, () => {
      assert.deepEqual(readPhone(text, country), { phone, byDefaultCountry: true });
    });
  }

  test('with a plus sign is what it says, whatever country was chosen', () => {
    const phone = { phone: '+14155550132', byDefaultCountry: false };
    assert.deepEqual(readPhone('+1 (415) 555-0132', 'DE'), phone);
    assert.deepEqual(readPhone('+1 (415) 555-0132', null), phone);
  });

  for (const [text, phone] of [
    ['+49 (0)30 123456', '+4930123456'],
    ['+39 (0)6 698 12345', '+390669812345'],
    ['+49 (0)12', null],
    ['p:+14155550132', '+14155550132'],
    ['Tel: +14155550132', '+14155550132'],
  ] as const) {
    test(`with a zero in brackets or a label is ${phone}: ${text}`, () => {
      assert.deepEqual(readPhone(text, null), phone && { phone, byDefaultCountry: false });
    });
  }

  test('is never guessed: without a country it is none', () => {
    assert.equal(readPhone('030 123456', null), null);
    assert.equal(readPhone('4930123456', null), null);
  });

  test('is none where the country has no such number, or it holds more than a number', () => {
    for (const text of [
      '12',
      'call me',
      '030 123456 or 030 654321',
      '+49',
      '',
      '030 123456 ext. 7',
    ]) {
      assert.equal(readPhone(text, 'DE'), null, text);
    }
  });
});
