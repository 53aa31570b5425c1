import { Button } from '@mantine/core';
import { ButtonLink, FormError, TextLink, useChangeForm } from '../../parts/index.ts';
import { EntryFrame } from './EntryFrame.tsx';
import classes from './entry.module.css';
import { EmailInput, NewPasswordInput } from './inputs.tsx';
import { useLinkToken } from './token.ts';

export function ResetPage() {
  const token = useLinkToken();
  return token ? <Finish token={token} /> : <Ask />;
}

function Ask() {
  const { form, change: ask } = useChangeForm('askPasswordReset', { email: '' });
  if (ask.isSuccess) return <Asked />;
  return (
    <EntryFrame
      title="Reset your password"
      description="Where this service sends mail, you get a link that lets you choose a new one."
    >
      <form className={classes.form} onSubmit={form.onSubmit((body) => ask.mutate({ body }))}>
        <FormError error={ask.error} fields={['email']} />
        <EmailInput {...form.getInputProps('email')} />
        <Button type="submit" loading={ask.isPending}>
          Send the link
        </Button>
      </form>
      <p className={classes.aside}>
        <TextLink to="/sign-in">Back to signing in</TextLink>
      </p>
    </EntryFrame>
  );
}

const Asked = () => (
  <EntryFrame title="Look into your mail">
    <div role="status">
      <p>If somebody signs in with this address, a link is on its way to it.</p>
      <p className={classes.aside}>
        Nothing came? This service may send no mail: whoever runs it can make a link for you with{' '}
        <code>npx leadwire members reset-link</code>.
      </p>
    </div>
    <p className={classes.aside}>
      <TextLink to="/sign-in">Back to signing in</TextLink>
    </p>
  </EntryFrame>
);

function Finish({ token }: { token: string }) {
  const { form, change: finish } = useChangeForm('finishPasswordReset', { password: '' });
  if (finish.isSuccess) return <Finished />;
  return (
    <EntryFrame title="Choose a new password" description="Every session that is open now ends.">
      <form
        className={classes.form}
        onSubmit={form.onSubmit(({ password }) => finish.mutate({ body: { token, password } }))}
      >
        <FormError error={finish.error} fields={['password']} />
        <NewPasswordInput label="New password" {...form.getInputProps('password')} />
        <Button type="submit" loading={finish.isPending}>
          Set the password
        </Button>
      </form>
    </EntryFrame>
  );
}

const Finished = () => (
  <EntryFrame title="Your password is set">
    <div role="status">
      <p>Sign in with it from now on.</p>
    </div>
    <ButtonLink to="/sign-in" replace>
      Sign in
    </ButtonLink>
  </EntryFrame>
);
