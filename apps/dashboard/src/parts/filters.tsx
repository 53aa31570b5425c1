import { NativeSelect, TextInput } from '@mantine/core';

type Filter = { label: string; value: string; onChange: (value: string) => void };
type Option = string | { value: string; label: string };

/** One of a few, or all of them, which is the empty value. */
export const FilterSelect = ({
  options,
  maw,
  onChange,
  ...props
}: Filter & { options: readonly Option[]; maw?: number }) => (
  <NativeSelect
    {...props}
    size="xs"
    {...(maw === undefined ? {} : { maw })}
    onChange={(event) => onChange(event.currentTarget.value)}
    data={[{ value: '', label: 'All' }, ...options]}
  />
);

/** A text that holds once it is left or Enter is pressed. Give it `value` as its key: another one from outside begins anew. */
export const FilterText = ({
  value,
  onChange,
  ...props
}: Filter & { placeholder: string; maxLength?: number; w?: number }) => (
  <TextInput
    {...props}
    size="xs"
    autoComplete="off"
    defaultValue={value}
    onBlur={({ currentTarget }) => {
      if (currentTarget.value !== value) onChange(currentTarget.value);
    }}
    onKeyDown={({ key, currentTarget }) => {
      if (key === 'Enter') onChange(currentTarget.value);
    }}
  />
);
