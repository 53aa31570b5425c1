import type { EventType } from '@leadwire/contract';
import { Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ApiError } from '../../api/index.ts';
import {
  Choices,
  type DialogFormProps,
  FormActions,
  FormError,
  focusFirst,
  useFieldErrors,
} from '../../parts/index.ts';
import { EVENT_MEANINGS } from './words.ts';

export type WebhookValues = { url: string; events: EventType[]; description: string };

type Props = DialogFormProps<WebhookValues> & { initial: WebhookValues; submit: string };

/** What a webhook is made of; refusals of the service land at their fields. */
export function WebhookForm({ initial, submit, isPending, error, onSubmit, onCancel }: Props) {
  const form = useWebhookForm(initial, error);
  const send = form.onSubmit(
    (values) => onSubmit({ ...values, url: values.url.trim() }),
    focusFirst(form),
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
        <Choices label="Events" meanings={EVENT_MEANINGS} {...form.getInputProps('events')} />
        <Textarea
          label="Description"
          description="For people: what the endpoint is. May stay empty."
          maxLength={500}
          autosize
          {...form.getInputProps('description')}
        />
      </Stack>
      <FormActions {...{ submit, onCancel, isPending }} />
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
  useFieldErrors(form, error);
  return form;
}
