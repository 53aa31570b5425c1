const FORM =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-]\d\d):?(\d\d)?)$/;

/**
 * A time as the service stores it: UTC with six decimals, further ones cut off.
 * @returns the text as it is where the service would refuse it
 */
export function storedTime(text: string): string {
  const parts = FORM.exec(text);
  if (!parts) return text;
  const [, date, clock, seconds = '00', decimals = '', hours = '+00', minutes = '00'] = parts;
  const local = Date.parse(`${date}T${clock}:${seconds}Z`);
  if (Number.isNaN(local)) return text;
  const sign = hours.startsWith('-') ? -1 : 1;
  const offset = sign * (Math.abs(Number(hours)) * 60 + Number(minutes)) * 60_000;
  const utc = new Date(local - offset).toISOString().slice(0, 19);
  return `${utc}.${decimals.padEnd(6, '0').slice(0, 6)}Z`;
}
