import type { ApiKey, Campaign } from '@leadwire/contract/dashboard';
import { Checkbox, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import type { ApiError } from '../../api/index.ts';
import { type DialogFormProps, FormActions, FormError, focusFirst } from '../../parts/index.ts';
import { FieldsEditor } from './FieldsEditor.tsx';
import { FurtherSettings } from './FurtherSettings.tsx';
import type { FormValues } from './form-values.ts';
import classes from './forms.module.css';
import { FURTHER, refusalsOf, validate } from './validate.ts';

export type EditorForm = UseFormReturnType<FormValues>;

type Choice = {
  campaigns: readonly Campaign[];
  /** Those that a form can share. */
  keys: readonly Pick<ApiKey, 'id' | 'name' | 'state'>[];
};

type Props = DialogFormProps<FormValues> & Choice & { initial: FormValues; submit: string };

/** What a form is made of; refusals of the service land at their inputs. */
export function FormEditor({ initial, submit, isPending, error, ...props }: Props) {
  const { campaigns, keys, onSubmit, onCancel } = props;
  const { form, leadToFirst, isFurther, setIsFurther } = useEditor(initial, error);
  return (
    <form onSubmit={form.onSubmit(onSubmit, leadToFirst)} noValidate>
      <Stack>
        <FormError error={error} fields={(error?.errors ?? []).map(({ path }) => path)} />
        <Basics {...{ form, campaigns, keys }} />
        <FieldsEditor form={form} />
        <Consent form={form} />
        <details
          className={classes.fold}
          open={isFurther}
          onToggle={({ currentTarget }) => setIsFurther(currentTarget.open)}
        >
          <summary>Further settings</summary>
          <FurtherSettings form={form} />
        </details>
      </Stack>
      <FormActions {...{ submit, onCancel, isPending }} />
    </form>
  );
}

type Errors = Record<string, unknown>;

const isFolded = (errors: Errors): boolean => FURTHER.some((name) => name in errors);

function useEditor(initial: FormValues, error: ApiError | null) {
  const form = useForm<FormValues>({ initialValues: initial, validate });
  const [isFurther, setIsFurther] = useState(false);
  const wrong = useRef<Errors | null>(null);
  const leadToFirst = (errors: Errors) => {
    wrong.current = errors;
    if (isFolded(errors)) setIsFurther(true);
  };
  // Once it is drawn: what is folded cannot take the focus.
  useEffect(() => {
    const errors = wrong.current;
    if (!errors || (isFolded(errors) && !isFurther)) return;
    wrong.current = null;
    focusFirst(form)(errors);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => {
    if (!error) return;
    const refusals = refusalsOf(error, form.values);
    form.setErrors(refusals);
    leadToFirst(refusals);
  }, [error]);
  return { form, leadToFirst, isFurther, setIsFurther };
}

const Basics = ({ form, campaigns, keys }: Choice & { form: EditorForm }) => (
  <>
    <TextInput
      label="Name"
      description="It stands above the form where you link to it."
      maxLength={100}
      autoComplete="off"
      required
      data-autofocus
      {...form.getInputProps('name')}
    />
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <NativeSelect
        label="Campaign"
        description="Its leads belong to it."
        required
        data={options('Choose a campaign', campaigns.map(campaignOption))}
        {...form.getInputProps('campaign_id')}
      />
      <NativeSelect
        label="API key"
        description="The form shares its rate limit."
        required
        data={options('Choose a key', keys.map(keyOption))}
        {...form.getInputProps('key_id')}
      />
    </SimpleGrid>
  </>
);

type Option = { value: string; label: string };

/** With a first line that says to choose, where there is a choice. */
const options = (choose: string, all: Option[]): Option[] =>
  all.length === 1 ? all : [{ value: '', label: choose }, ...all];

const campaignOption = ({ id, name }: Campaign): Option => ({
  value: String(id),
  label: `${name} (${id})`,
});

const keyOption = ({ id, name, state }: Choice['keys'][number]): Option => ({
  value: id,
  label: state === 'active' ? name : `${name} (${state})`,
});

const Consent = ({ form }: { form: EditorForm }) => (
  <fieldset className={classes.part}>
    <legend>Consent</legend>
    <Stack gap="sm" w="100%">
      <Checkbox
        label="Ask for consent"
        description="A box to tick, with your words. What was agreed to, when and from where is kept as evidence with the lead."
        {...form.getInputProps('asksConsent', { type: 'checkbox' })}
      />
      {form.values.asksConsent && (
        <>
          <Textarea
            label="Words"
            description="Changed words are a new version; evidence of earlier ones stays as it is."
            autosize
            minRows={2}
            maxRows={8}
            maxLength={10_000}
            required
            {...form.getInputProps('consent.text')}
          />
          <Checkbox
            label="Without it the form cannot be sent"
            {...form.getInputProps('consent.required', { type: 'checkbox' })}
          />
        </>
      )}
    </Stack>
  </fieldset>
);
