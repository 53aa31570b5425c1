import { Button } from '@mantine/core';
import { FormError, useChangeForm } from '../../parts/index.ts';
import classes from './entry.module.css';
import { CodeInput } from './inputs.tsx';

type Props = { onVerified: () => void; onAgain: () => void };

/** The second step of signing in. */
export function CodeForm({ onVerified, onAgain }: Props) {
  const empty = { code: '' };
  const { form, change: verify } = useChangeForm('verifySecondFactor', empty, {
    onSuccess: onVerified,
    onError: () => {
      form.setFieldValue('code', '');
    },
  });
  const submit = ({ code }: { code: string }) =>
    verify.mutate({ body: { code: code.replaceAll(' ', '') } });
  return (
    <form className={classes.form} onSubmit={form.onSubmit(submit)}>
      <FormError error={verify.error} fields={['code']} />
      <CodeInput
        label="Code"
        description="The six digits that your authenticator shows now, or one of your backup codes."
        inputMode="text"
        autoCapitalize="off"
        spellCheck={false}
        {...form.getInputProps('code')}
      />
      <Button type="submit" loading={verify.isPending}>
        Continue
      </Button>
      <Button variant="subtle" onClick={onAgain}>
        Begin again
      </Button>
    </form>
  );
}
