import { Button } from '@mantine/core';
import { useState } from 'react';
import { FormError, useChangeForm } from '../../parts/index.ts';
import { CodeForm } from './CodeForm.tsx';
import classes from './entry.module.css';
import { CurrentPasswordInput, EmailInput } from './inputs.tsx';

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
  const empty = { email, password: '' };
  const { form, change: signIn } = useChangeForm('signIn', empty, {
    onSuccess: ({ second_factor }) => onDone(second_factor),
    onError: () => {
      form.setFieldValue('password', '');
    },
  });
  return (
    <form className={classes.form} onSubmit={form.onSubmit((body) => signIn.mutate({ body }))}>
      <FormError error={signIn.error} fields={['email', 'password']} />
      <EmailInput {...form.getInputProps('email')} />
      <CurrentPasswordInput
        label="Password"
        data-autofocus={email ? true : undefined}
        {...form.getInputProps('password')}
      />
      <Button type="submit" loading={signIn.isPending}>
        Sign in
      </Button>
    </form>
  );
}
