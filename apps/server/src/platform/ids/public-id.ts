/** `evt_019bc1a58f3c7a80b6e2d4f60718293a`: a UUID as the API shows it where its form is no promise. */
export const toPublicId = (prefix: string, uuid: string): string =>
  `${prefix}_${uuid.replaceAll('-', '')}`;

const HEX = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** The UUID of a public id; null where `text` is none of this prefix. */
export function fromPublicId(prefix: string, text: string): string | null {
  if (!text.startsWith(`${prefix}_`)) return null;
  const parts = HEX.exec(text.slice(prefix.length + 1));
  return parts ? parts.slice(1).join('-') : null;
}
