/** PostgreSQL's text holds neither U+0000 nor half a character. */
export const isStorable = (text: string): boolean =>
  text.isWellFormed() && !text.includes('\u0000');

/** How a text that is not is worded after the name of the field. */
export const NOT_STORABLE = 'must not contain U+0000 or an unpaired surrogate';
