import { useState } from 'react';

/** The token of a link: what stands behind the # of its address, which browsers send to nobody. Empty where it is missing. */
export function useLinkToken(): string {
  const [token] = useState(() => decode(window.location.hash.slice(1)));
  return token;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
