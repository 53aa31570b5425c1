import { FORM_LIMITS } from '@leadwire/contract/dashboard';
import { ActionIcon, Button, Checkbox, Input, NativeSelect, TextInput } from '@mantine/core';
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { countryOptions } from '../../parts/index.ts';
import type { EditorForm } from './FormEditor.tsx';
import { CUSTOM, type FieldValues, inputName, newField } from './form-values.ts';
import classes from './forms.module.css';
import { TARGETS } from './words.ts';

type Act = 'up' | 'down' | 'remove';

/** The fields of a form, in the order in which visitors see them. */
export function FieldsEditor({ form }: { form: EditorForm }) {
  const { fields } = form.values;
  const { box, focusNext } = useFocusAfter(fields);
  const act = (row: number, what: Act) => {
    if (what === 'remove') {
      form.removeListItem('fields', row);
      focusNext('[data-add]');
      return;
    }
    const to = what === 'up' ? row - 1 : row + 1;
    if (!fields[to]) return;
    form.reorderListItem('fields', { from: row, to });
    focusNext(`[data-row="${fields[row]?.id}"] [data-act="${what}"]`);
  };
  const add = (field: FieldValues) => {
    form.insertListItem('fields', field);
    focusNext(`[data-row="${field.id}"] input`);
  };
  return (
    <fieldset className={classes.part} ref={box}>
      <legend>Fields</legend>
      <ol className={classes.rows}>
        {fields.map((field, row) => (
          <Row key={field.id} {...{ form, field, row, onAct: (what) => act(row, what) }} />
        ))}
      </ol>
      {form.errors.fields && <Input.Error role="alert">{form.errors.fields}</Input.Error>}
      <Button
        size="xs"
        variant="default"
        data-add
        leftSection={<Plus size={14} aria-hidden />}
        disabled={fields.length >= FORM_LIMITS.fields}
        onClick={() => add(newField())}
      >
        Add a field
      </Button>
      {fields.some(({ target }) => target === 'phone') && <PhoneCountry form={form} />}
    </fieldset>
  );
}

/** Asked beside the fields, not guessed: most people type numbers as at home. */
const PhoneCountry = ({ form }: { form: EditorForm }) => (
  <NativeSelect
    label="Phone numbers without a plus sign are of"
    size="xs"
    data={[{ value: '', label: 'No country: visitors are asked for the plus sign' }, ...COUNTRIES]}
    {...form.getInputProps('default_country')}
  />
);

const COUNTRIES = countryOptions();

/** Gives the focus to something that is there once the fields have changed. */
function useFocusAfter(fields: readonly FieldValues[]) {
  const box = useRef<HTMLFieldSetElement>(null);
  const next = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that they changed
  useEffect(() => {
    if (next.current) box.current?.querySelector<HTMLElement>(next.current)?.focus();
    next.current = null;
  }, [fields]);
  const focusNext = (selector: string) => {
    next.current = selector;
  };
  return { box, focusNext };
}

type RowProps = {
  form: EditorForm;
  field: FieldValues;
  row: number;
  onAct: (what: Act) => void;
};

function Row({ form, field, row, onAct }: RowProps) {
  const path = `fields.${row}`;
  const called = field.label.trim() || `field ${row + 1}`;
  return (
    <li className={classes.row} data-row={field.id}>
      <fieldset aria-label={`Field ${row + 1}: ${called}`}>
        <Label {...{ form, field, path }} />
        <Target {...{ form, field, path }} />
        <TextInput
          label="Input name"
          size="xs"
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps(`${path}.name`)}
        />
        <Checkbox
          className={classes.required ?? ''}
          label="Required"
          size="xs"
          {...form.getInputProps(`${path}.required`, { type: 'checkbox' })}
        />
        <div className={classes.acts}>
          <Act act="up" label={`Move ${called} up`} onAct={onAct}>
            <ArrowUp size={14} aria-hidden />
          </Act>
          <Act act="down" label={`Move ${called} down`} onAct={onAct}>
            <ArrowDown size={14} aria-hidden />
          </Act>
          <Act act="remove" label={`Remove ${called}`} onAct={onAct}>
            <X size={14} aria-hidden />
          </Act>
        </div>
      </fieldset>
    </li>
  );
}

type PartProps = { form: EditorForm; field: FieldValues; path: string };

function Label({ form, field, path }: PartProps) {
  const props = form.getInputProps(`${path}.label`);
  const rename = (text: string) => {
    props.onChange(text);
    // Until somebody gives the input a name of its own.
    if (field.name === inputName(field.label)) {
      form.setFieldValue(`${path}.name`, inputName(text));
    }
  };
  return (
    <TextInput
      label="Label"
      size="xs"
      maxLength={200}
      autoComplete="off"
      {...props}
      onChange={(event) => rename(event.currentTarget.value)}
    />
  );
}

const TARGET_OPTIONS = Object.entries(TARGETS).map(([value, label]) => ({ value, label }));

const Target = ({ form, field, path }: PartProps) => (
  <div>
    <NativeSelect
      label="Goes to"
      size="xs"
      data={TARGET_OPTIONS}
      {...form.getInputProps(`${path}.target`)}
    />
    {field.target === CUSTOM && (
      <TextInput
        aria-label="Name of the custom field"
        placeholder={field.name || 'Its name'}
        size="xs"
        mt={4}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps(`${path}.custom`)}
      />
    )}
  </div>
);

type ActProps = { act: Act; label: string; onAct: (what: Act) => void; children: ReactNode };

const Act = ({ act, label, onAct, children }: ActProps) => (
  <ActionIcon
    variant="default"
    size={30}
    data-act={act}
    aria-label={label}
    onClick={() => onAct(act)}
  >
    {children}
  </ActionIcon>
);
