import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useState } from 'react';

type Props = Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'error'> & {
  value: string;
  error?: string | undefined;
  onSave: (value: string) => void;
};

/** A text that is stored once it is left or Enter is pressed; emptied, it becomes again what it was. */
export function SavedText({ value, onSave, error, ...props }: Props) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const save = () => {
    const wanted = text.trim();
    setText(wanted || value);
    if (wanted && wanted !== value) onSave(wanted);
  };
  return (
    <TextInput
      {...props}
      autoComplete="off"
      error={error}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={save}
      onKeyDown={({ key }) => {
        if (key === 'Enter') save();
      }}
    />
  );
}
