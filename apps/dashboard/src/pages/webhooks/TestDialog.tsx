import type { EventType, TestEventAnswer } from '@leadwire/contract';
import { Alert, Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/index.ts';
import { Dialog, DialogActions, ErrorState, JsonView } from '../../parts/index.ts';
import type { WebhookDialogProps } from './params.ts';
import { EVENT_TYPES, outcomeText } from './words.ts';

/** Sends a sample now and shows what the endpoint made of it. */
export function TestDialog({ webhook, params, opened, onClose }: WebhookDialogProps) {
  const [type, setType] = useState<EventType>(webhook.events[0] ?? 'lead.created');
  const test = useChange('testWebhook', { refreshes: ['getWebhook'] });
  const close = () => {
    test.reset();
    onClose();
  };
  return (
    <Dialog title="Send a test event" {...{ opened, onClose: close }}>
      <Stack>
        <Text size="sm">
          A sample of nobody's data, signed and sent once, now. It is stored nowhere and stands in
          no list.
        </Text>
        <NativeSelect
          label="Event"
          data={EVENT_TYPES}
          value={type}
          data-autofocus
          onChange={(event) => setType(event.currentTarget.value as EventType)}
        />
        <div aria-live="polite">
          {test.error && <ErrorState error={test.error} />}
          {test.data && !test.isPending && <Result result={test.data} />}
          {test.isPending && <Text size="sm">Waiting for the endpoint, at most 15 seconds…</Text>}
        </div>
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={close}>
          Close
        </Button>
        <Button loading={test.isPending} onClick={() => test.mutate({ params, body: { type } })}>
          {test.data ? 'Send another' : 'Send test'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const Result = ({ result }: { result: TestEventAnswer }) => (
  <Stack gap="xs">
    <Alert
      color={result.succeeded ? 'green' : 'red'}
      title={result.succeeded ? 'Delivered' : 'Not delivered'}
    >
      {outcomeText(result)} It took {result.duration_ms.toLocaleString('en-US')} ms.
    </Alert>
    {result.answer && <JsonView label="Body of the answer" value={result.answer} />}
  </Stack>
);
