/** For each field that a partner writes: values that are refused, and values that are stored. */
export type FieldTable = {
  /** What the field is called in these tests: a path of the body. */
  field: string;
  required?: true;
  refused: unknown[];
  /** Sent and stored; `stored` where it differs. */
  accepted: { sent: unknown; stored?: unknown }[];
};

export const NOT_A_STRING = [1, 0, true, false, [], {}, ['x'], { a: 1 }];
export const NOT_A_BOOLEAN = [0, 1, 'true', 'false', '', [], {}];

// JSON.stringify writes a lone surrogate as an escape, which is how it travels.
export const BROKEN_TEXT = ['\u0000', 'a\u0000b', '\ud800', 'a\udc00b', '\udc00\ud800', 'x\ud83d'];

export const EMOJI = '🐘';
export const RIGHT_TO_LEFT = '\u202eשלום \u0645\u0631\u062d\u0628\u0627';
export const COMBINED = 'e\u0301👩‍👩‍👧‍👦\u200d';

export const kept = (...values: unknown[]) => values.map((sent) => ({ sent }));

const text = (field: string, max: number): FieldTable => ({
  field,
  refused: [...NOT_A_STRING, ...BROKEN_TEXT, 'x'.repeat(max + 1), EMOJI.repeat(max + 1)],
  accepted: kept(
    ...['', ' ', 'x', EMOJI, RIGHT_TO_LEFT, COMBINED, 'x'.repeat(max), EMOJI.repeat(max)],
    ...[
      "'; DROP TABLE leads; --",
      '\\',
      '"',
      '\u0001\t\n\r\u007f',
      '\u2028\ufeff\uffff',
      'null',
      '$1',
      '%s',
    ],
    null,
  ),
});

export const TEXTS = [text('first_name', 100), text('last_name', 100), text('source', 255)];
TEXTS.push(text('tcpa_consent_text', 10_000));

export const ADDRESS: FieldTable = {
  field: 'address',
  refused: [
    ...[1, 'x', true, [], [{}], { town: 'x' }, { Street: 'x' }, { street: { a: 1 } }],
    ...['street', 'city', 'state', 'zip'].flatMap((part) =>
      [1, true, [], 'x'.repeat(256), ...BROKEN_TEXT].map((value) => ({ [part]: value })),
    ),
    JSON.parse('{"__proto__":{"street":"x"}}'),
    ...[{ constructor: 'x' }, { toString: 'x' }, { '\u0000': 'x' }],
  ],
  accepted: [
    ...kept(null, { street: 'x'.repeat(255) }, { city: EMOJI.repeat(255), zip: '' }),
    ...kept({ street: RIGHT_TO_LEFT, city: COMBINED, state: '', zip: '0' }),
    { sent: { street: null, zip: '1' }, stored: { zip: '1' } },
  ],
};
