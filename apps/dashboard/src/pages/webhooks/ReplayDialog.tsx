import type { EventType } from '@leadwire/contract';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../api/index.ts';
import {
  Choices,
  Dialog,
  FormActions,
  FormError,
  showFieldErrors,
  tellDone,
} from '../../parts/index.ts';
import type { WebhookDialogProps } from './params.ts';
import { EVENT_MEANINGS } from './words.ts';

const HOUR_MS = 3_600_000;
const RANGES = [
  { text: 'Last hour', ms: HOUR_MS },
  { text: 'Last day', ms: 24 * HOUR_MS },
  { text: 'Last week', ms: 7 * 24 * HOUR_MS },
];

type Values = { from: string; to: string; events: EventType[] };

/** Asks for a range of time and types; the replay is then found in the list of the page. */
export function ReplayDialog(props: WebhookDialogProps) {
  const { opened, onClose } = props;
  return (
    <Dialog title="Replay events" {...{ opened, onClose, size: 'lg' }}>
      <ReplayForm {...props} />
    </Dialog>
  );
}

function ReplayForm(props: WebhookDialogProps) {
  const { form, start, submit } = useReplayForm(props);
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">
          Every event of the range is sent again with the same id, also those that were delivered:
          endpoints that skip ids they know take each once. Live events go first. The events of the
          last 20 seconds follow when they are settled.
        </Text>
        <FormError error={start.error} fields={['from', 'to', 'events']} />
        <CommonRanges onChoose={(ms) => form.setValues(lastMs(ms))} />
        <Group grow align="flex-start">
          <TextInput type="datetime-local" step={1} label="From" {...form.getInputProps('from')} />
          <TextInput type="datetime-local" step={1} label="To" {...form.getInputProps('to')} />
        </Group>
        <Text size="xs" c="dimmed">
          In the time of your computer, {Intl.DateTimeFormat().resolvedOptions().timeZone}.
        </Text>
        <Choices
          label="Types of events"
          meanings={EVENT_MEANINGS}
          {...form.getInputProps('events')}
        />
      </Stack>
      <FormActions submit="Start replay" onCancel={props.onClose} isPending={start.isPending} />
    </form>
  );
}

function useReplayForm({ webhook, params, onClose }: WebhookDialogProps) {
  const form = useForm<Values>({
    initialValues: { ...lastMs(24 * HOUR_MS), events: webhook.events },
    validate: {
      from: (from) => (from ? null : 'Enter when the range begins.'),
      to: (to, { from }) => (to > from ? null : 'The end must be later than the beginning.'),
      events: (events) => (events.length > 0 ? null : 'Choose at least one type.'),
    },
  });
  const start = useChange('startReplay', {
    refreshes: ['listReplays', 'listDeliveries', 'getWebhook'],
    onSuccess: () => {
      tellDone('Replay started: its progress stands under Replays');
      onClose();
    },
    onError: (error) => showFieldErrors(form, error),
  });
  const submit = form.onSubmit(({ from, to, events }) =>
    start.mutate({ params, body: { from: toUtc(from), to: toUtc(to), events } }),
  );
  return { form, start, submit };
}

const CommonRanges = ({ onChoose }: { onChoose: (ms: number) => void }) => (
  <Group gap="xs" role="group" aria-label="Common ranges">
    {RANGES.map(({ text, ms }) => (
      <Button key={text} size="xs" variant="default" onClick={() => onChoose(ms)}>
        {text}
      </Button>
    ))}
  </Group>
);

const lastMs = (ms: number): Pick<Values, 'from' | 'to'> => {
  const now = Date.now();
  return { from: toLocal(now - ms), to: toLocal(now) };
};

/** As a datetime-local input wants it: the wall clock here, to the second. */
function toLocal(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offsetMs).toISOString().slice(0, 19);
}

const toUtc = (local: string): string => new Date(local).toISOString();
