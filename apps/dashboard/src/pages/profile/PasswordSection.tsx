import { Button } from '@mantine/core';
import { FormError, Section, tellDone, useChangeForm } from '../../parts/index.ts';
import { CurrentPasswordInput, NewPasswordInput } from '../entry/inputs.tsx';
import classes from './profile.module.css';

const EMPTY = { current_password: '', new_password: '' };

export function PasswordSection({ email }: { email: string }) {
  const { form, change } = useChangeForm('changePassword', EMPTY, {
    refreshes: ['listSessions'],
    onSuccess: () => {
      form.reset();
      tellDone('Password changed; your other sessions have ended');
    },
  });
  return (
    <Section title="Password" description="Changing it ends every other session of yours.">
      <form className={classes.form} onSubmit={form.onSubmit((body) => change.mutate({ body }))}>
        <FormError error={change.error} fields={Object.keys(EMPTY)} />
        {/* Tells password managers whose password this is. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <CurrentPasswordInput
          label="Current password"
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
