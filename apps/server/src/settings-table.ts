import type { Setting } from './platform/config/index.ts';

/** The settings as the Markdown of docs/settings.md. */
export function settingsTable(settings: Record<string, Setting<unknown>>): string {
  const rows = Object.values(settings).map(
    ({ name, default: fallback, doc }) =>
      `| \`${name}\` | ${fallback ? `\`${fallback}\`` : ''} | ${doc} |`,
  );
  return [
    '# Settings',
    '',
    'Read from the environment once, at start. A bad value stops the start with a sentence that names it. This page is made by',
    '`npm run docs`.',
    '',
    '| Variable | Default | Meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
