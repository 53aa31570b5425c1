import { Button, TextInput } from '@mantine/core';
import { FormError, tellDone, useChangeForm } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import classes from './settings.module.css';

export function NameForm({ name }: { name: string }) {
  const account = useAccount();
  const mayChange = account.may('settings.change');
  const { form, change } = useChangeForm(
    'changeAccount',
    { name },
    { refreshes: ['getAccount', 'getMe'], onSuccess: () => tellDone('Name saved') },
  );
  return (
    <form
      className={classes.form}
      onSubmit={form.onSubmit((body) => change.mutate({ params: { account: account.id }, body }))}
    >
      <FormError error={change.error} fields={['name']} />
      <TextInput
        label="Name"
        required
        withAsterisk={false}
        maxLength={100}
        readOnly={!mayChange}
        {...form.getInputProps('name')}
      />
      {mayChange ? (
        <Button type="submit" variant="default" loading={change.isPending}>
          Save name
        </Button>
      ) : null}
    </form>
  );
}
