import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useChange } from '../../api/index.ts';
import {
  Dialog,
  DialogActions,
  FormError,
  Section,
  StatusBadge,
  showFieldErrors,
  tellDone,
} from '../../parts/index.ts';
import classes from './profile.module.css';
import { SecondFactorSetup } from './SecondFactorSetup.tsx';

export function SecondFactorSection({ isOn }: { isOn: boolean }) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <Section
      title="Second factor"
      description="A code from an authenticator app, asked for after your password. Whoever learns your password cannot come in with it alone."
      actions={<StatusBadge tone={isOn ? 'good' : 'calm'}>{isOn ? 'On' : 'Off'}</StatusBadge>}
    >
      <Button variant="default" onClick={dialog.open}>
        {isOn ? 'Switch off' : 'Set up'}
      </Button>
      {isOn ? (
        <EndDialog opened={isOpen} onClose={dialog.close} />
      ) : (
        <SecondFactorSetup opened={isOpen} onClose={dialog.close} />
      )}
    </Section>
  );
}

function EndDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog title="Switch the second factor off" {...{ opened, onClose }}>
      <EndForm onClose={onClose} />
    </Dialog>
  );
}

function EndForm({ onClose }: { onClose: () => void }) {
  const form = useForm({ initialValues: { password: '' } });
  const end = useChange('endSecondFactor', {
    refreshes: ['getMe'],
    onSuccess: () => {
      onClose();
      tellDone('Second factor switched off');
    },
    onError: (error) => showFieldErrors(form, error),
  });
  return (
    <form className={classes.stack} onSubmit={form.onSubmit((body) => end.mutate({ body }))}>
      <span>
        Your password alone will be enough to sign in. Your backup codes stop working, and the entry
        in your authenticator is of no more use.
      </span>
      <FormError error={end.error} fields={['password']} />
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        data-autofocus
        {...form.getInputProps('password')}
      />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" color="red" loading={end.isPending}>
          Switch off
        </Button>
      </DialogActions>
    </form>
  );
}
