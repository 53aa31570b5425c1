import type { ShownInvitation } from '@leadwire/contract/dashboard';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { FormError, useChangeForm } from '../../parts/index.ts';
import classes from './entry.module.css';
import { EmailInput, NewPasswordInput, OwnNameInput } from './inputs.tsx';
import { SignInForm } from './SignInForm.tsx';

type Props = {
  token: string;
  invitation: ShownInvitation;
  joined: (answer: { account_id: string }) => void;
  onSignedIn: () => void;
};

/** For somebody who is not signed in: a new person, or one who signs in first. */
export function JoinAsNewPerson({ token, invitation, joined, onSignedIn }: Props) {
  const [knownEmail, setKnownEmail] = useState<string | null>(null);
  if (knownEmail === null) {
    return <NewPersonForm {...{ token, invitation, joined }} onKnown={setKnownEmail} />;
  }
  return (
    <>
      <p>Sign in, and you can join with the same link.</p>
      <SignInForm email={knownEmail} onSignedIn={onSignedIn} />
      <Button mt="sm" fullWidth variant="subtle" onClick={() => setKnownEmail(null)}>
        I am new here
      </Button>
    </>
  );
}

type FormProps = Omit<Props, 'onSignedIn'> & { onKnown: (email: string) => void };

function NewPersonForm({ token, invitation, joined, onKnown }: FormProps) {
  const empty = { name: '', email: invitation.email ?? '', password: '' };
  const { form, change: join } = useChangeForm('joinAsNewPerson', empty, {
    onSuccess: joined,
    onError: ({ error }) => {
      if (error === 'sign_in_first') onKnown(form.values.email);
    },
  });
  return (
    <form
      className={classes.form}
      onSubmit={form.onSubmit((person) => join.mutate({ body: { token, ...person } }))}
    >
      <FormError error={join.error} fields={['name', 'email', 'password']} />
      <OwnNameInput {...form.getInputProps('name')} />
      <EmailInput
        readOnly={invitation.email !== null}
        description={
          invitation.email === null ? 'You sign in with it.' : 'The one that was invited.'
        }
        {...form.getInputProps('email')}
      />
      <NewPasswordInput {...form.getInputProps('password')} />
      <Button type="submit" loading={join.isPending}>
        Join
      </Button>
      <Button variant="subtle" onClick={() => onKnown(form.values.email)}>
        I can sign in already
      </Button>
    </form>
  );
}
