const FORM =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|([+-])(\d{2}):?(\d{2})?)$/;

/**
 * Reads an ISO 8601 time with an offset or Z (RFC 3339 section 5.6, seconds optional, decimals after the sixth cut off) and
 * writes it in UTC with six decimals. It never becomes one number: microseconds after the year 2255 do not fit a double.
 * @returns null where the text is no such time, the day does not exist (2026-02-30), or the year in UTC is not 0001…9999.
 */
export function normalizeTimestamp(text: string): string | null {
  // A text is checked first and stored after: the second call finds the first one's answer.
  if (text !== lastText) {
    lastNormal = toUtc(text);
    lastText = text;
  }
  return lastNormal;
}

let lastText = '';
let lastNormal: string | null = null;

function toUtc(text: string): string | null {
  const parts = FORM.exec(text);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second = '0', fraction = '', , sign, offH, offM] = parts;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const offsetHours = Number(offH ?? 0);
  const offsetMinutes = Number(offM ?? 0);
  if (offsetHours > 23 || offsetMinutes > 59) return null;
  const offset = (offsetHours * 60 + offsetMinutes) * (sign === '-' ? -1 : 1);
  date.setUTCHours(Number(hour), Number(minute) - offset, Number(second));
  const utcYear = date.getUTCFullYear();
  if (utcYear < 1 || utcYear > 9999) return null;
  return `${date.toISOString().slice(0, 19)}.${fraction.padEnd(6, '0').slice(0, 6)}Z`;
}
