import type { Role } from '@leadwire/contract/dashboard';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../api/index.ts';
import {
  Dialog,
  DialogActions,
  FormActions,
  FormError,
  SecretOnce,
  Timestamp,
  useChangeForm,
} from '../../parts/index.ts';
import { useAccount, useMe } from '../../shell/account.ts';
import classes from './members.module.css';
import { roleOptions } from './roles.ts';

type Props = { opened: boolean; onClose: () => void };

/** Invites somebody, and shows the link where it is not sent by mail. */
export function InviteDialog({ opened, onClose }: Props) {
  const account = useAccount();
  const [made, setMade] = useState<Answer<'invite'> | null>(null);
  const close = () => {
    onClose();
    setMade(null);
  };
  const isShown = made?.link != null;
  return (
    <Dialog
      title={made ? 'Invitation made' : `Invite to ${account.name}`}
      size="lg"
      keepOpen={isShown}
      opened={opened}
      onClose={close}
    >
      {made ? (
        <Made made={made} onClose={close} />
      ) : (
        <InviteForm onMade={setMade} onClose={close} />
      )}
    </Dialog>
  );
}

type FormProps = { onMade: (answer: Answer<'invite'>) => void; onClose: () => void };

const EMPTY: { email: string; role: Role } = { email: '', role: 'member' };

function InviteForm({ onMade, onClose }: FormProps) {
  const account = useAccount();
  const { data: me } = useMe();
  const { form, change: invite } = useChangeForm('invite', EMPTY, {
    refreshes: ['listInvitations'],
    onSuccess: onMade,
  });
  const submit = ({ email, role }: typeof EMPTY) =>
    invite.mutate({ params: { account: account.id }, body: email ? { email, role } : { role } });
  return (
    <form className={classes.form} onSubmit={form.onSubmit(submit)}>
      <FormError error={invite.error} fields={['email', 'role']} />
      <TextInput
        label="Email address"
        description={
          me?.mail
            ? 'The link is sent there. Left empty, it is shown to you, and is for whoever holds it.'
            : 'The link is shown to you, for you to pass on. Left empty, it is for whoever holds it.'
        }
        type="email"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('email')}
      />
      <NativeSelect label="Role" data={roleOptions(account)} {...form.getInputProps('role')} />
      <FormActions submit="Invite" onCancel={onClose} isPending={invite.isPending} />
    </form>
  );
}

function Made({ made, onClose }: { made: Answer<'invite'>; onClose: () => void }) {
  const { invitation, link } = made;
  const until = invitation.expires_at ? <Timestamp value={invitation.expires_at} /> : 'it is used';
  return (
    <div className={classes.form}>
      {link ? (
        <SecretOnce label="Link" value={link}>
          <span>
            {invitation.email ? (
              <>
                Only <strong>{invitation.email}</strong> can use it
              </>
            ) : (
              'Whoever holds it can use it'
            )}
            , once, until {until}.
          </span>
        </SecretOnce>
      ) : (
        <span>
          A link is on its way to <strong>{invitation.email}</strong>. It is good once, until{' '}
          {until}.
        </span>
      )}
      <DialogActions>
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </div>
  );
}
