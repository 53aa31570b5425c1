import type { LiveState } from '../../api/index.ts';
import { StatusBadge, type Tone } from '../../parts/index.ts';

const WORDS: Readonly<Record<LiveState, { tone: Tone; label: string; title: string }>> = {
  connecting: { tone: 'calm', label: 'Connecting', title: 'Changes will show by themselves.' },
  live: { tone: 'good', label: 'Live', title: 'Changes show by themselves within two seconds.' },
  offline: {
    tone: 'warn',
    label: 'Not live',
    title: 'The connection was lost; it is tried again. Figures are read anew each minute.',
  },
};

/** Whether the page follows what happens. */
export function LiveBadge({ state }: { state: LiveState }) {
  const { tone, label, title } = WORDS[state];
  return (
    <span title={title}>
      <StatusBadge tone={tone}>{label}</StatusBadge>
    </span>
  );
}
