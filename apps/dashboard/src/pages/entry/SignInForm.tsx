import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useChange } from '../../api/index.ts';
import { FormError, showFieldErrors } from '../../parts/index.ts';
import { CodeForm } from './CodeForm.tsx';
import classes from './entry.module.css';

type Props = { email?: string; onSignedIn: () => void };

/** Email address and password, then a code where the person has a second factor. */
export function SignInForm({ email = '', onSignedIn }: Props) {
  const [needsCode, setNeedsCode] = useState(false);
  if (needsCode) return <CodeForm onVerified={onSignedIn} onAgain={() => setNeedsCode(false)} />;
  return (
    <PasswordForm
      email={email}
      onDone={(secondFactor) => (secondFactor ? setNeedsCode(true) : onSignedIn())}
    />
  );
}

type PasswordFormProps = { email: string; onDone: (secondFactor: boolean) => void };

function PasswordForm({ email, onDone }: PasswordFormProps) {
  const form = useForm({ initialValues: { email, password: '' } });
  const signIn = useChange('signIn', {
    onSuccess: ({ second_factor }) => onDone(second_factor),
    onError: (error) => {
      form.setFieldValue('password', '');
      showFieldErrors(form, error);
    },
  });
  return (
    <form className={classes.form} onSubmit={form.onSubmit((body) => signIn.mutate({ body }))}>
      <FormError error={signIn.error} fields={['email', 'password']} />
      <TextInput
        label="Email address"
        type="email"
        autoComplete="username"
        required
        withAsterisk={false}
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        data-autofocus={email ? true : undefined}
        {...form.getInputProps('password')}
      />
      <Button type="submit" loading={signIn.isPending}>
        Sign in
      </Button>
    </form>
  );
}
