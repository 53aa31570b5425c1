/** Strings, so that what is inside of them is passed over, and numbers. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The first number of valid JSON that a double cannot keep; null where there is none. */
export function findLostNumber(text: string): string | null {
  for (const [source] of text.matchAll(STRING_OR_NUMBER)) {
    if (!source.startsWith('"') && !isKept(source)) return source;
  }
  return null;
}

/** Valid JSON with strings for the numbers that a double cannot keep: the digits of an int64 id, as they were sent. */
export const quoteLostNumbers = (text: string): string =>
  text.replace(STRING_OR_NUMBER, (source) =>
    source.startsWith('"') || isKept(source) ? source : `"${source}"`,
  );

/** Whether a double says the same as the number that was sent; digits after the seventeenth of a fraction may go. */
function isKept(source: string): boolean {
  const value = Number(source);
  if (!Number.isFinite(value)) return false;
  if (Number.isSafeInteger(value) && value !== 0) return true;
  if (value !== 0 && !Number.isInteger(value)) return true;
  return toScientific(source) === toScientific(String(value));
}

/** The digits of a decimal number without outer zeros, and its exponent: 1200 and 1.2e3 are both 12e2. */
function toScientific(decimal: string): string {
  const [, integer = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(decimal) ?? [];
  const digits = (integer + fraction).replace(/^0+/, '');
  // Not /0+$/: on digits with many zeros inside its time grows with their square, a body's worth blocks for a minute.
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  const significant = digits.slice(0, end);
  if (significant === '') return '0';
  const shift = digits.length - significant.length - fraction.length;
  return `${significant}e${Number(exponent) + shift}`;
}
