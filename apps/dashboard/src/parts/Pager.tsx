import { Button, Group } from '@mantine/core';

type Props = {
  /** Undefined: there is none. */
  onNewer?: (() => void) | undefined;
  onOlder?: (() => void) | undefined;
  /** What is shown: "50 leads". */
  children?: string;
};

/** Below a list that is paged by a cursor. */
export function Pager({ onNewer, onOlder, children }: Props) {
  if (!onNewer && !onOlder) return null;
  return (
    <Group component="nav" justify="space-between" mt="sm" aria-label="Pages of the list">
      <span>{children}</span>
      <Group gap="xs">
        <Button size="xs" variant="default" disabled={!onNewer} onClick={onNewer}>
          Newer
        </Button>
        <Button size="xs" variant="default" disabled={!onOlder} onClick={onOlder}>
          Older
        </Button>
      </Group>
    </Group>
  );
}
