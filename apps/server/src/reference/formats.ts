type FormatNote = { pattern?: string; note?: string };

/** What a reader is told of our own formats. A pattern allows all that the validator allows, and little else. */
export const FORMAT_NOTES: Record<string, FormatNote> = {
  phone: { pattern: '^[ .()-]*\\+[ .()-]*[1-9](?:[ .()-]*[0-9]){6,14}[ .()-]*$' },
  'http-url': { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$' },
  timestamp: {
    pattern:
      '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?(?:[Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)$',
  },
  // \p{Cc} written out: readers of the document compile patterns without the u flag, or in other languages.
  'no-control-characters': {
    pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]*$',
    note: 'No control characters.',
  },
  'content-hash': { pattern: '^[0-9a-f]{64}$' },
  'campaign-id': { pattern: '^[1-9][0-9]{0,9}$' },
};
