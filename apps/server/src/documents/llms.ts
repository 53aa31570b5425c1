import type { Guide } from './guides.ts';

/**
 * What programs that read for people are told, as https://llmstxt.org has it: title, summary, links with a note each.
 * @param publicUrl the start of the addresses: whoever is given the text alone can follow them
 */
export function llmsText(guides: readonly Guide[], publicUrl: string): string {
  const address = (path: string) => new URL(path, publicUrl).href;
  const lines = guides.map(
    ({ slug, title, summary }) => `- [${title}](${address(`/docs/guides/${slug}.md`)}): ${summary}`,
  );
  return `# Leadwire

> A self-hosted JSON service for lead-capture accounts. Partners post leads, signed or with a key, read them back by cursor, and are told of every change by signed webhooks.

A lead is unique on account, campaign and external id: the same post twice is no second lead. Every failure is JSON with a stable code.

## Guides

${lines.join('\n')}

## Reference

- [OpenAPI 3.1](${address('/openapi.json')}): every operation of the public API with its schemas, examples and failures
- [Reference](${address('/docs/reference')}): the same for people, needs JavaScript
`;
}
