/**
 * E.164 (ITU-T): plus sign, first digit 1–9, 7 to 15 digits; spaces, dots, dashes and parentheses are removed.
 * @returns the bare number, or null where the text is none.
 */
export function normalizePhone(text: string): string | null {
  const bare = text.replace(/[ .\-()]/g, '');
  return /^\+[1-9]\d{6,14}$/.test(bare) ? bare : null;
}
