import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../api/index.ts';
import { FormError, Section, showFieldErrors, tellDone } from '../../parts/index.ts';
import { NewPasswordInput } from '../entry/NewPasswordInput.tsx';
import classes from './profile.module.css';

const EMPTY = { current_password: '', new_password: '' };

export function PasswordSection({ email }: { email: string }) {
  const form = useForm({ initialValues: EMPTY });
  const change = useChange('changePassword', {
    refreshes: ['listSessions'],
    onSuccess: () => {
      form.reset();
      tellDone('Password changed; your other sessions have ended');
    },
    onError: (error) => showFieldErrors(form, error),
  });
  return (
    <Section title="Password" description="Changing it ends every other session of yours.">
      <form className={classes.form} onSubmit={form.onSubmit((body) => change.mutate({ body }))}>
        <FormError error={change.error} fields={Object.keys(EMPTY)} />
        {/* Tells password managers whose password this is. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          {...form.getInputProps('current_password')}
        />
        <NewPasswordInput label="New password" {...form.getInputProps('new_password')} />
        <Button type="submit" variant="default" loading={change.isPending}>
          Change password
        </Button>
      </form>
    </Section>
  );
}
