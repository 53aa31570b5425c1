import { NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { LeadValues } from './lead-values.ts';
import classes from './leads.module.css';

type Props = { form: UseFormReturnType<LeadValues> };

const COLUMNS = { base: 1, xs: 2 };

const TEXTS: readonly (readonly [name: string, label: string, maxLength: number])[] = [
  ['first_name', 'First name', 100],
  ['last_name', 'Last name', 100],
  ['phone', 'Phone', 50],
  ['email', 'Email', 320],
  ['address.street', 'Street', 255],
  ['address.city', 'City', 255],
  ['address.state', 'State', 255],
  ['address.zip', 'Zip', 255],
  ['source', 'Source', 255],
  ['source_form_url', 'Form address', 2048],
  ['tcpa_consent_timestamp', 'Consent given', 64],
];

/** The fields of a lead that may be changed. */
export function LeadInputs({ form }: Props) {
  return (
    <>
      <SimpleGrid cols={COLUMNS} spacing="sm" verticalSpacing="sm">
        {TEXTS.map(([name, label, maxLength], index) => (
          <TextInput
            key={name}
            {...{ label, maxLength }}
            autoComplete="off"
            data-autofocus={index === 0 || undefined}
            placeholder={name === 'tcpa_consent_timestamp' ? '2026-01-15T10:30:00Z' : undefined}
            {...form.getInputProps(name)}
          />
        ))}
        <NativeSelect
          label="Consent"
          data={[
            { value: '', label: 'Not said' },
            { value: 'yes', label: 'Yes' },
            { value: 'no', label: 'No' },
          ]}
          {...form.getInputProps('tcpa_consent')}
        />
      </SimpleGrid>
      <Textarea
        label="Consent text"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={10_000}
        {...form.getInputProps('tcpa_consent_text')}
      />
      <Textarea
        label="Custom fields"
        description="A JSON object."
        autosize
        minRows={3}
        maxRows={14}
        spellCheck={false}
        classNames={{ input: classes.code ?? '' }}
        {...form.getInputProps('custom_fields')}
      />
    </>
  );
}
