import type { Me } from '@leadwire/contract/dashboard';
import { Button, TextInput } from '@mantine/core';
import { FormError, Section, tellDone, useChangeForm } from '../../parts/index.ts';
import { OwnNameInput } from '../entry/inputs.tsx';
import classes from './profile.module.css';

export function NameSection({ me }: { me: Me }) {
  const { form, change } = useChangeForm(
    'changeMe',
    { name: me.name },
    { refreshes: ['getMe', 'listMembers'], onSuccess: () => tellDone('Name saved') },
  );
  return (
    <Section title="Name">
      <form className={classes.form} onSubmit={form.onSubmit((body) => change.mutate({ body }))}>
        <FormError error={change.error} fields={['name']} />
        <OwnNameInput {...form.getInputProps('name')} />
        <TextInput
          label="Email address"
          description="You sign in with it; it cannot be changed here."
          readOnly
          value={me.email}
        />
        <Button type="submit" variant="default" loading={change.isPending}>
          Save name
        </Button>
      </form>
    </Section>
  );
}
