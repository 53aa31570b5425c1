/** Whether a request rather wants a page than JSON (RFC 9110 section 12.5.1): what names neither is a program. */
export function wantsPage(accept: string | undefined): boolean {
  if (!accept) return false;
  const page = place(accept, 'text/html');
  const json = place(accept, 'application/json');
  if (page.quality !== json.quality) return page.quality > json.quality;
  return page.quality > 0 && page.index < json.index;
}

function place(accept: string, type: string): { quality: number; index: number } {
  const ranges = accept.toLowerCase().split(',');
  const index = ranges.findIndex((range) => range.split(';', 1)[0]?.trim() === type);
  if (index < 0) return { quality: 0, index };
  const [, quality = '1'] = /;\s*q=([\d.]+)/.exec(ranges[index] as string) ?? [];
  return { quality: Number(quality) || 0, index };
}
