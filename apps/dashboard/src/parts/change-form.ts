import { type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect } from 'react';
import {
  type ApiError,
  type ChangeName,
  type ChangeOptions,
  fieldErrors,
  useChange,
} from '../api/index.ts';

type Fields = Record<string, unknown>;

/** Puts the field errors of a refusal at their fields. `under`: where in the body the form's fields are, e.g. `changes`. */
export function showFieldErrors<Values extends Fields>(
  form: UseFormReturnType<Values>,
  error: ApiError,
  under?: string,
): void {
  form.setErrors(fieldErrors(error, under));
}

/** The same for a form that is given the refusals of a change which another component makes. */
export function useFieldErrors<Values extends Fields>(
  form: UseFormReturnType<Values>,
  error: ApiError | null,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => {
    if (error) showFieldErrors(form, error);
  }, [error]);
}

/** For `form.onSubmit`, where fields are wrong: leads the person to the first of them. */
export const focusFirst =
  <Values extends Fields>(form: UseFormReturnType<Values>) =>
  (errors: Fields): void => {
    const [path] = Object.keys(errors);
    if (path !== undefined) form.getInputNode(path)?.focus();
  };

/**
 * A form and the change that sends it: what is refused of a field stands at that field. `onError` is called before, and the form
 * can be used in it: `const { form, change } = useChangeForm('changeMe', { name }, { onSuccess })`.
 */
export function useChangeForm<Name extends ChangeName, Values extends Fields>(
  name: Name,
  initialValues: Values,
  options: ChangeOptions<Name> = {},
) {
  const form = useForm<Values>({ initialValues });
  const change = useChange(name, {
    ...options,
    onError: (error) => {
      options.onError?.(error);
      showFieldErrors(form, error);
    },
  });
  return { form, change };
}

/** What a form is given by the dialog that makes the change. */
export type DialogFormProps<Values> = {
  isPending: boolean;
  error: ApiError | null;
  onSubmit: (values: Values) => void;
  onCancel: () => void;
};
