import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const blue: MantineColorsTuple = [
  '#eef3fc',
  '#dbe5f7',
  '#b7c9ec',
  '#91ace1',
  '#7596da',
  '#4a73c9',
  '#3d66bd',
  '#2f56a8',
  '#264a94',
  '#1c3a78',
];

// Mantine's own greys are brown beside the blue ones of ours.
const dark: MantineColorsTuple = [
  '#d9dde2',
  '#bcc1c8',
  '#a3a9b1',
  '#757c85',
  '#434951',
  '#343940',
  '#22262b',
  '#16181c',
  '#121417',
  '#0e1013',
];

export const MONOSPACE =
  'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace';

/** System fonts, one accent, small radii: what it shows should stand out, not what shows it. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: 7,
  colors: { blue, dark },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: MONOSPACE,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem' },
      h2: { fontSize: '1.0625rem' },
      h3: { fontSize: '0.9375rem' },
    },
  },
  respectReducedMotion: true,
});

/** Mantine's quiet text, red and light buttons fall short of a contrast of 4.5 (WCAG 2.2, 1.4.3): ours do not. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-red-light': 'var(--lw-bad-ground)',
    '--mantine-color-yellow-light': 'var(--lw-warn-ground)',
    '--mantine-color-green-light': 'var(--lw-good-ground)',
    '--mantine-color-blue-light': 'var(--lw-info-ground)',
    '--mantine-color-dimmed': '#596069',
    '--mantine-color-placeholder': '#6b727a',
    '--mantine-color-error': '#b42323',
    '--mantine-color-anchor': '#2f56a8',
    '--mantine-color-red-filled': '#b42323',
    '--mantine-color-red-filled-hover': '#971d1d',
    '--mantine-color-red-outline': '#b42323',
    '--mantine-color-red-light-color': '#971d1d',
    '--mantine-color-yellow-light-color': '#7a4a00',
    '--mantine-color-green-light-color': '#1f6b33',
  },
  dark: {
    '--mantine-color-red-light': 'var(--lw-bad-ground)',
    '--mantine-color-yellow-light': 'var(--lw-warn-ground)',
    '--mantine-color-green-light': 'var(--lw-good-ground)',
    '--mantine-color-blue-light': 'var(--lw-info-ground)',
    '--mantine-color-body': '#16181c',
    '--mantine-color-dimmed': '#a3a9b1',
    '--mantine-color-placeholder': '#8d949c',
    '--mantine-color-error': '#ff9a9a',
    '--mantine-color-anchor': '#91ace1',
    '--mantine-color-red-filled': '#b42323',
    '--mantine-color-red-filled-hover': '#c93a3a',
    '--mantine-color-red-outline': '#ff9a9a',
    '--mantine-color-red-light-color': '#ffb3b3',
    '--mantine-color-yellow-light-color': '#ffd875',
    '--mantine-color-green-light-color': '#8ce0a0',
    '--mantine-color-blue-light-color': '#b7c9ec',
    '--mantine-color-blue-outline': '#91ace1',
  },
});
