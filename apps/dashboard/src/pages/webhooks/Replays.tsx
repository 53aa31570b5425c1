import type { Replay } from '@leadwire/contract';
import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useApi, useChange } from '../../api/index.ts';
import {
  ConfirmDialog,
  Loaded,
  None,
  Section,
  StatusBadge,
  Timestamp,
  tellDone,
} from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import type { WebhookParams } from './params.ts';
import { REPLAY_STATES } from './words.ts';

const RUNNING_MS = 1_500;
const CALM_MS = 30_000;

/** The replays of this webhook; one that runs shows how far it is, whoever started it. */
export function Replays({ params }: { params: WebhookParams }) {
  const replays = useApi(
    'listReplays',
    { params },
    {
      refetchInterval: ({ state: { data } }) =>
        data?.replays.some(({ state }) => state === 'running') ? RUNNING_MS : CALM_MS,
    },
  );
  return (
    <Section
      title="Replays"
      description="Events of a time range, sent again behind the live ones. A replay goes on when this page is left."
    >
      <Loaded query={replays}>
        {({ replays: rows }) => (
          <Stack gap="sm">
            {rows.length === 0 && <None>No replay yet.</None>}
            {rows.map((replay) => (
              <ReplayRow key={replay.id} {...{ replay, params }} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

function ReplayRow({ replay, params }: { replay: Replay; params: WebhookParams }) {
  const account = useAccount();
  const { label, tone } = REPLAY_STATES[replay.state];
  const isRunning = replay.state === 'running';
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" gap="xs" mb={4}>
        <Group gap="xs">
          <StatusBadge tone={tone}>{label}</StatusBadge>
          <Text size="sm">
            <Timestamp value={replay.from} /> to <Timestamp value={replay.to} />
          </Text>
        </Group>
        {isRunning && account.may('deliveries.send') && <CancelReplay {...{ replay, params }} />}
      </Group>
      {isRunning && (
        <Progress value={percentOf(replay)} my="xs" aria-label="Progress of the replay" />
      )}
      <Text size="sm">{progressText(replay)}</Text>
      <Text size="xs" c="dimmed">
        {replay.events.join(', ')}
      </Text>
    </Paper>
  );
}

function CancelReplay({ replay, params }: { replay: Replay; params: WebhookParams }) {
  const [opened, setOpened] = useState(false);
  const onClose = () => setOpened(false);
  const cancel = useChange('cancelReplay', {
    refreshes: ['listReplays', 'listDeliveries', 'getWebhook'],
    onSuccess: () => {
      tellDone('Replay canceled');
      onClose();
    },
  });
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpened(true)}>
        Cancel replay
      </Button>
      <ConfirmDialog
        title="Cancel this replay?"
        confirm="Cancel replay"
        {...{ opened, onClose, isPending: cancel.isPending, error: cancel.error }}
        onConfirm={() => cancel.mutate({ params: { ...params, replay: replay.id } })}
      >
        What it has not sent yet will not be sent: {replay.progress.waiting.toLocaleString('en-US')}{' '}
        queued and everything after <Timestamp value={replay.progress.position} />. What was sent
        stays sent.
      </ConfirmDialog>
    </>
  );
}

/** How far it has looked through its range, less what of that is still to be sent. */
function percentOf({ from, to, progress }: Replay): number {
  const { position, queued, delivered, given_up } = progress;
  const looked = (Date.parse(position) - Date.parse(from)) / (Date.parse(to) - Date.parse(from));
  const sent = queued === 0 ? 1 : Math.min(1, (delivered + given_up) / queued);
  return Math.round(100 * looked * sent);
}

function progressText({ state, progress }: Replay): string {
  const { queued, delivered, given_up, waiting, already_waiting } = progress;
  const number = (n: number) => n.toLocaleString('en-US');
  const parts = [
    `${number(queued)} ${queued === 1 ? 'event' : 'events'} queued`,
    `${number(delivered)} delivered`,
    ...(given_up > 0 ? [`${number(given_up)} given up`] : []),
    ...(waiting > 0 ? [`${number(waiting)} waiting`] : []),
    ...(already_waiting > 0 ? [`${number(already_waiting)} were waiting anyway`] : []),
  ];
  const isSettling = state === 'running' && waiting === 0;
  const rest = isSettling ? ' Looking for more; the newest 20 seconds of events come last.' : '';
  return `${parts.join(', ')}.${rest}`;
}
