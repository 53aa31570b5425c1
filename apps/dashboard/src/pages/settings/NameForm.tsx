import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../api/index.ts';
import { FormError, showFieldErrors, tellDone } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import classes from './settings.module.css';

export function NameForm({ name }: { name: string }) {
  const account = useAccount();
  const mayChange = account.may('settings.change');
  const form = useForm({ initialValues: { name } });
  const change = useChange('changeAccount', {
    refreshes: ['getAccount', 'getMe'],
    onSuccess: () => tellDone('Name saved'),
    onError: (error) => showFieldErrors(form, error),
  });
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
