const MAX_LENGTH = 2048;

/**
 * The page that a form was sent from: what its script says, else the Referer; without fragment and credentials. Null for what is no
 * http address or too long: a lead is not turned away for it.
 */
export function pageUrlOf(sent: string | undefined, referer: string | undefined): string | null {
  const text = sent ?? referer;
  if (!text || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) return null;
  url.hash = '';
  url.username = '';
  url.password = '';
  return url.href.length <= MAX_LENGTH ? url.href : null;
}
