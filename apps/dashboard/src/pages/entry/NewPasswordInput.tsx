import { PasswordInput, type PasswordInputProps } from '@mantine/core';

const LEAST = 12;

/** A password that is chosen now. */
export const NewPasswordInput = ({ label = 'Password', ...props }: PasswordInputProps) => (
  <PasswordInput
    label={label}
    description={`At least ${LEAST} characters. Several words that nobody would guess do well.`}
    autoComplete="new-password"
    required
    withAsterisk={false}
    minLength={LEAST}
    maxLength={128}
    {...props}
  />
);
