import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../api/index.ts';
import { FormError, showFieldErrors } from '../../parts/index.ts';
import classes from './entry.module.css';

type Props = { onVerified: () => void; onAgain: () => void };

/** The second step of signing in. */
export function CodeForm({ onVerified, onAgain }: Props) {
  const form = useForm({ initialValues: { code: '' } });
  const verify = useChange('verifySecondFactor', {
    onSuccess: onVerified,
    onError: (error) => {
      form.setFieldValue('code', '');
      showFieldErrors(form, error);
    },
  });
  const submit = ({ code }: { code: string }) =>
    verify.mutate({ body: { code: code.replaceAll(' ', '') } });
  return (
    <form className={classes.form} onSubmit={form.onSubmit(submit)}>
      <FormError error={verify.error} fields={['code']} />
      <TextInput
        label="Code"
        description="The six digits that your authenticator shows now, or one of your backup codes."
        autoComplete="one-time-code"
        inputMode="text"
        autoCapitalize="off"
        spellCheck={false}
        required
        withAsterisk={false}
        ref={focus}
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

/** The step before had the focus, and it is gone. */
const focus = (input: HTMLInputElement | null) => input?.focus();
