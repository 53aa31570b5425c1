import type { EventType } from '@leadwire/contract';
import { Button, Checkbox, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import type { ApiError } from '../../api/index.ts';
import { DialogActions, FormError, showFieldErrors } from '../../parts/index.ts';
import { EVENT_MEANINGS, EVENT_TYPES } from './words.ts';

export type WebhookValues = { url: string; events: EventType[]; description: string };

type Props = {
  initial: WebhookValues;
  submit: string;
  isPending: boolean;
  error: ApiError | null;
  onSubmit: (values: WebhookValues) => void;
  onCancel: () => void;
};

/** What a webhook is made of; refusals of the service land at their fields. */
export function WebhookForm({ initial, submit, isPending, error, onSubmit, onCancel }: Props) {
  const form = useWebhookForm(initial, error);
  const send = form.onSubmit(
    (values) => onSubmit({ ...values, url: values.url.trim() }),
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? 'url')?.focus(),
  );
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <FormError error={error} fields={['url', 'events', 'description']} />
        <TextInput
          label="URL"
          description="Where events are posted to, each as signed JSON."
          placeholder="https://crm.example.com/leadwire"
          inputMode="url"
          autoComplete="off"
          required
          data-autofocus
          {...form.getInputProps('url')}
        />
        <EventChoice {...form.getInputProps('events')} />
        <Textarea
          label="Description"
          description="For people: what the endpoint is. May stay empty."
          maxLength={500}
          autosize
          {...form.getInputProps('description')}
        />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          {submit}
        </Button>
      </DialogActions>
    </form>
  );
}

function useWebhookForm(initial: WebhookValues, error: ApiError | null) {
  const form = useForm<WebhookValues>({
    initialValues: initial,
    validate: {
      url: (url) => (url.trim() ? null : 'Enter the address that events are posted to.'),
      events: (events) => (events.length > 0 ? null : 'Choose at least one event.'),
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => {
    if (error) showFieldErrors(form, error);
  }, [error]);
  return form;
}

/** Types of events to choose among, each with what it tells. */
export function EventChoice({ label = 'Events', ...props }: Record<string, unknown>) {
  return (
    <Checkbox.Group label={label as string} {...props}>
      <Stack gap="xs" mt={6}>
        {EVENT_TYPES.map((type) => (
          <Checkbox
            key={type}
            value={type}
            description={EVENT_MEANINGS[type]}
            label={
              <Text span size="sm" ff="monospace">
                {type}
              </Text>
            }
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
