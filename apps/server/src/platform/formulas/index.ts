/**
 * What a spreadsheet takes for a formula, also behind white space, which some of them drop; full-width signs are read as the plain ones
 * (OWASP, CSV injection).
 */
const FORMULA = String.raw`(?:\s*[=+\-@＝＋－＠]|[\t\r\n])`;
const STARTS_ONE = new RegExp(`^${FORMULA}`);
const STARTS_ONE_OR_DEFUSED = new RegExp(`^'*${FORMULA}`);
const DEFUSED = new RegExp(`^'(?='*${FORMULA})`);

/** The text with an apostrophe before it where a spreadsheet would take it for a formula. */
export const defuse = (text: string): string => (STARTS_ONE.test(text) ? `'${text}` : text);

/** The same for what `withoutDefusing` restores exactly: a text that looks defused already gets one more apostrophe. */
export const defuseRestorably = (text: string): string =>
  STARTS_ONE_OR_DEFUSED.test(text) ? `'${text}` : text;

/** The text without the apostrophe that one of these, or another system, put before it. */
export const withoutDefusing = (text: string): string => text.replace(DEFUSED, '');
