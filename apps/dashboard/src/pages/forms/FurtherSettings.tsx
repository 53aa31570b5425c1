import { NumberInput, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import type { EditorForm } from './FormEditor.tsx';

const COLUMNS = { base: 1, sm: 2 };

/** Settings with a default that suits most forms. */
export const FurtherSettings = ({ form }: { form: EditorForm }) => (
  <Stack gap="sm">
    <TextInput
      label="Page after sending"
      description="Where the browser goes next. Empty: a page of ours that says thanks."
      placeholder="https://shop.example/thanks"
      inputMode="url"
      autoComplete="off"
      maxLength={2048}
      {...form.getInputProps('redirect_url')}
    />
    <Textarea
      label="Allowed origins"
      description="Sites that may send the form, one a line. Empty: any site."
      placeholder="https://shop.example"
      autosize
      minRows={1}
      maxRows={6}
      spellCheck={false}
      {...form.getInputProps('allowed_origins')}
    />
    <TextInput
      label="Source"
      description="Stands as the source of its leads."
      maxLength={255}
      autoComplete="off"
      {...form.getInputProps('source')}
    />
    <Pace form={form} />
  </Stack>
);

/** What keeps programs from sending it. */
const Pace = ({ form }: { form: EditorForm }) => (
  <SimpleGrid cols={COLUMNS} spacing="sm" verticalSpacing="sm">
    <NumberInput
      label="Least seconds to fill it in"
      description="Whoever is faster is asked to send again. 0: not looked at."
      min={0}
      max={60}
      allowDecimal={false}
      hideControls
      {...form.getInputProps('min_fill_seconds')}
    />
    <NumberInput
      label="Most from one address in a minute"
      description="0: any number, up to the limit of the key."
      min={0}
      max={100_000}
      allowDecimal={false}
      hideControls
      {...form.getInputProps('per_address_a_minute')}
    />
  </SimpleGrid>
);
