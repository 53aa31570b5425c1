import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  Dialog,
  FormActions,
  FormError,
  Section,
  StatusBadge,
  tellDone,
  useChangeForm,
} from '../../parts/index.ts';
import { CurrentPasswordInput } from '../entry/inputs.tsx';
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

const NO_PASSWORD = { password: '' };

function EndForm({ onClose }: { onClose: () => void }) {
  const { form, change } = useChangeForm('endSecondFactor', NO_PASSWORD, {
    refreshes: ['getMe'],
    onSuccess: () => {
      onClose();
      tellDone('Second factor switched off');
    },
  });
  return (
    <form className={classes.stack} onSubmit={form.onSubmit((body) => change.mutate({ body }))}>
      <span>
        Your password alone will be enough to sign in. Your backup codes stop working, and the entry
        in your authenticator is of no more use.
      </span>
      <FormError error={change.error} fields={['password']} />
      <CurrentPasswordInput
        label="Your password"
        data-autofocus
        {...form.getInputProps('password')}
      />
      <FormActions
        submit="Switch off"
        onCancel={onClose}
        isPending={change.isPending}
        isDestructive
      />
    </form>
  );
}
