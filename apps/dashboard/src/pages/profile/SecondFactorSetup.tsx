import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, refresh } from '../../api/index.ts';
import {
  CopyButton,
  CopyField,
  Dialog,
  DialogActions,
  FormActions,
  FormError,
  tellDone,
  useChangeForm,
} from '../../parts/index.ts';
import { CodeInput, CurrentPasswordInput } from '../entry/inputs.tsx';
import classes from './profile.module.css';

type Begun = Answer<'beginSecondFactor'>;
type Props = { opened: boolean; onClose: () => void };

/** Password, then the authenticator's entry and its first code, then the backup codes. Begins anew whenever it is opened. */
export function SecondFactorSetup({ opened, onClose }: Props) {
  const [isConfirmed, setConfirmed] = useState(false);
  const close = () => {
    setConfirmed(false);
    onClose();
  };
  // From then on it shows the backup codes, and it shows them once.
  const keepOpen = isConfirmed;
  return (
    <Dialog title="Set up the second factor" size="lg" {...{ opened, keepOpen, onClose: close }}>
      <Steps {...{ isConfirmed, onClose: close }} onConfirmed={() => setConfirmed(true)} />
    </Dialog>
  );
}

type StepsProps = { isConfirmed: boolean; onConfirmed: () => void; onClose: () => void };

function Steps({ isConfirmed, onConfirmed, onClose }: StepsProps) {
  const client = useQueryClient();
  const [begun, setBegun] = useState<Begun | null>(null);
  const finish = () => {
    onClose();
    refresh(client, ['getMe', 'listMembers']);
    tellDone('Second factor switched on');
  };
  if (!begun) return <PasswordStep onBegun={setBegun} onCancel={onClose} />;
  if (!isConfirmed) {
    return <CodeStep begun={begun} onDone={onConfirmed} onCancel={onClose} />;
  }
  return <BackupCodes codes={begun.backup_codes} onDone={finish} />;
}

function PasswordStep({
  onBegun,
  onCancel,
}: {
  onBegun: (b: Begun) => void;
  onCancel: () => void;
}) {
  const { form, change: begin } = useChangeForm(
    'beginSecondFactor',
    { password: '' },
    { onSuccess: onBegun },
  );
  return (
    <form className={classes.stack} onSubmit={form.onSubmit((body) => begin.mutate({ body }))}>
      <FormError error={begin.error} fields={['password']} />
      <CurrentPasswordInput
        label="Your password"
        data-autofocus
        {...form.getInputProps('password')}
      />
      <FormActions submit="Continue" onCancel={onCancel} isPending={begin.isPending} />
    </form>
  );
}

type CodeStepProps = { begun: Begun; onDone: () => void; onCancel: () => void };

function CodeStep({ begun, onDone, onCancel }: CodeStepProps) {
  const { form, change: confirm } = useChangeForm(
    'confirmSecondFactor',
    { code: '' },
    { onSuccess: onDone },
  );
  const submit = ({ code }: { code: string }) =>
    confirm.mutate({ body: { code: code.replaceAll(' ', '') } });
  return (
    <form className={classes.stack} onSubmit={form.onSubmit(submit)}>
      <span>Scan this with an authenticator app, or type the key into it.</span>
      <Qr {...begun.qr} />
      <CopyField label="Key" value={begun.secret} />
      <FormError error={confirm.error} fields={['code']} />
      <CodeInput
        label="The code that it shows"
        inputMode="numeric"
        {...form.getInputProps('code')}
      />
      <FormActions submit="Switch on" onCancel={onCancel} isPending={confirm.isPending} />
    </form>
  );
}

// Dark on light in both colour schemes: not every scanner reads the inverse.
const Qr = ({ size, path }: Begun['qr']) => (
  <svg
    className={classes.qr}
    viewBox={`0 0 ${size} ${size}`}
    role="img"
    aria-label="QR code for an authenticator app"
    shapeRendering="crispEdges"
  >
    <path d={path} fill="#000" />
  </svg>
);

function BackupCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <div className={classes.stack}>
      <span>
        It is on. Keep these backup codes where you find them without your phone: each signs you in
        once. They cannot be shown again.
      </span>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <DialogActions>
        <CopyButton value={codes.join('\n')} label="Copy all" />
        <Button size="compact-sm" onClick={onDone} ref={focusButton}>
          I have kept them
        </Button>
      </DialogActions>
    </div>
  );
}

/** The step before had the focus, and it is gone. */
const focusButton = (button: HTMLButtonElement | null) => button?.focus();
