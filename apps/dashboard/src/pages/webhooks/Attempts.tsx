import type { DeliveryAttempt, DeliveryDetail } from '@leadwire/contract';
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import {
  EmptyState,
  JsonView,
  Mono,
  StatusBadge,
  Timestamp,
  type Tone,
} from '../../parts/index.ts';
import { outcomeText } from './words.ts';

const OUTCOMES: Readonly<Record<DeliveryAttempt['outcome'], { label: string; tone: Tone }>> = {
  succeeded: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'warn' },
  given_up: { label: 'Given up', tone: 'bad' },
};

/** Every attempt that is kept, newest first, with the endpoint's answer as text. */
export function Attempts({
  delivery: { attempts, next_attempt_at },
}: {
  delivery: DeliveryDetail;
}) {
  if (attempts.length === 0) {
    return (
      <EmptyState title="Not tried yet">
        {next_attempt_at
          ? 'It waits for its turn; while the webhook is inactive it waits on.'
          : 'Nothing is to be sent.'}
      </EmptyState>
    );
  }
  return (
    <Stack gap="sm">
      {[...attempts].reverse().map((attempt) => (
        <Attempt key={attempt.id} attempt={attempt} />
      ))}
    </Stack>
  );
}

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  const { number, outcome, started_at, duration_ms, url, answer, next_attempt_at } = attempt;
  const { label, tone } = OUTCOMES[outcome];
  return (
    <Paper withBorder p="sm" component="article" aria-label={`Attempt ${number}`}>
      <Group gap="xs" mb={4}>
        <Title order={3} size="sm">
          Attempt {number}
        </Title>
        <StatusBadge tone={tone}>{label}</StatusBadge>
        <Text size="sm" c="dimmed">
          <Timestamp value={started_at} />, {duration_ms.toLocaleString('en-US')} ms
        </Text>
      </Group>
      <Text size="sm">{outcomeText(attempt)}</Text>
      <Text size="xs" c="dimmed">
        To <Mono>{url}</Mono>
        {next_attempt_at && (
          <>
            ; next attempt set for <Timestamp value={next_attempt_at} />
          </>
        )}
      </Text>
      {answer !== null && answer !== '' && (
        <Stack gap={4} mt="xs">
          <Text size="xs" c="dimmed">
            Answer of the endpoint, its first 4 KiB
          </Text>
          <JsonView label={`Answer to attempt ${number}`} value={answer} />
        </Stack>
      )}
    </Paper>
  );
}
