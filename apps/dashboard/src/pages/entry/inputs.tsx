import {
  PasswordInput,
  type PasswordInputProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core';

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

/** The password that the person has. */
export const CurrentPasswordInput = (props: PasswordInputProps) => (
  <PasswordInput autoComplete="current-password" required withAsterisk={false} {...props} />
);

/** The address that the person signs in with. */
export const EmailInput = (props: TextInputProps) => (
  <TextInput
    label="Email address"
    type="email"
    autoComplete="username"
    required
    withAsterisk={false}
    {...props}
  />
);

/** What the person is called. */
export const OwnNameInput = (props: TextInputProps) => (
  <TextInput
    label="Your name"
    autoComplete="name"
    required
    withAsterisk={false}
    maxLength={100}
    {...props}
  />
);

/** A code of the second factor; takes the focus, for the step before had it, and is gone. */
export const CodeInput = (props: TextInputProps) => (
  <TextInput
    autoComplete="one-time-code"
    required
    withAsterisk={false}
    ref={takeFocus}
    {...props}
  />
);

const takeFocus = (input: HTMLInputElement | null) => input?.focus();
