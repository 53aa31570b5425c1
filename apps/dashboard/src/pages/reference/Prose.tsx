import { Code, Text } from '@mantine/core';

/** A text of the reference: what stands in `backticks` is code, and an empty line begins a paragraph. */
export function Prose({ text }: { text: string }) {
  const paragraphs = text.split(/\n{2,}/).filter(Boolean);
  return paragraphs.map((paragraph) => (
    <Text key={paragraph} size="sm" style={{ overflowWrap: 'anywhere' }}>
      {paragraph.split('`').map((part, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text never move.
        index % 2 === 1 ? <Code key={index}>{part}</Code> : part,
      )}
    </Text>
  ));
}
