import type { Me } from '@leadwire/contract/dashboard';
import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../api/index.ts';
import { FormError, Section, showFieldErrors, tellDone } from '../../parts/index.ts';
import classes from './profile.module.css';

export function NameSection({ me }: { me: Me }) {
  const form = useForm({ initialValues: { name: me.name } });
  const change = useChange('changeMe', {
    refreshes: ['getMe', 'listMembers'],
    onSuccess: () => tellDone('Name saved'),
    onError: (error) => showFieldErrors(form, error),
  });
  return (
    <Section title="Name">
      <form className={classes.form} onSubmit={form.onSubmit((body) => change.mutate({ body }))}>
        <FormError error={change.error} fields={['name']} />
        <TextInput
          label="Your name"
          autoComplete="name"
          required
          withAsterisk={false}
          maxLength={100}
          {...form.getInputProps('name')}
        />
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
