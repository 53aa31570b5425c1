import { NativeSelect, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { ApiError } from '../../api/index.ts';
import {
  Choices,
  type DialogFormProps,
  FormActions,
  FormError,
  focusFirst,
  useFieldErrors,
} from '../../parts/index.ts';
import { EMPTY, type KeyValues } from './key-values.ts';
import { SCOPE_MEANINGS } from './words.ts';

type Form = UseFormReturnType<KeyValues>;

/** What a key is made of; refusals of the service land at their fields. */
export function KeyForm({ isPending, error, onSubmit, onCancel }: DialogFormProps<KeyValues>) {
  const form = useKeyForm(error);
  return (
    <form onSubmit={form.onSubmit(onSubmit, focusFirst(form))} noValidate>
      <Stack>
        <FormError error={error} fields={['name', 'scopes']} />
        <TextInput
          label="Name"
          description="Who uses it, e.g. the partner."
          maxLength={100}
          autoComplete="off"
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Choices label="Scopes" meanings={SCOPE_MEANINGS} {...form.getInputProps('scopes')} />
        <Expiry form={form} />
        <Limit form={form} />
      </Stack>
      <FormActions submit="Create key" {...{ onCancel, isPending }} />
    </form>
  );
}

function useKeyForm(error: ApiError | null): Form {
  const form = useForm<KeyValues>({
    initialValues: EMPTY,
    validate: {
      name: (name) => (name.trim() ? null : 'Enter a name.'),
      scopes: (scopes) => (scopes.length > 0 ? null : 'Choose at least one scope.'),
      expiresOn: (day, { expiry }) =>
        expiry !== 'day' || Date.parse(`${day}T23:59:59`) > Date.now()
          ? null
          : 'Choose today or a later day.',
      max: (max, { limit }) =>
        limit !== 'own' || (Number(max) >= 1 && Number(max) <= 1_000_000)
          ? null
          : 'Enter 1 to 1,000,000.',
      windowSeconds: (seconds, { limit }) =>
        limit !== 'own' || (Number(seconds) >= 1 && Number(seconds) <= 86_400)
          ? null
          : 'Enter 1 to 86,400.',
    },
  });
  useFieldErrors(form, error);
  return form;
}

const Expiry = ({ form }: { form: Form }) => (
  <SimpleGrid cols={{ base: 1, sm: form.values.expiry === 'day' ? 2 : 1 }}>
    <NativeSelect
      label="Expires"
      data={[
        { value: 'never', label: 'Never' },
        { value: '30', label: 'In 30 days' },
        { value: '90', label: 'In 90 days' },
        { value: '365', label: 'In a year' },
        { value: 'day', label: 'On a day' },
      ]}
      {...form.getInputProps('expiry')}
    />
    {form.values.expiry === 'day' && (
      <TextInput
        type="date"
        label="Last day"
        description="It works until the end of this day."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps('expiresOn')}
      />
    )}
  </SimpleGrid>
);

const Limit = ({ form }: { form: Form }) => (
  <SimpleGrid cols={{ base: 1, sm: form.values.limit === 'own' ? 3 : 1 }}>
    <NativeSelect
      label="Rate limit"
      data={[
        { value: 'default', label: 'Default (6,000 in 60 seconds)' },
        { value: 'own', label: 'Its own' },
        { value: 'unlimited', label: 'Unlimited' },
      ]}
      {...form.getInputProps('limit')}
    />
    {form.values.limit === 'own' && (
      <>
        <NumberInput
          label="Requests"
          min={1}
          max={1_000_000}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('max')}
        />
        <NumberInput
          label="In seconds"
          min={1}
          max={86_400}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('windowSeconds')}
        />
      </>
    )}
  </SimpleGrid>
);
