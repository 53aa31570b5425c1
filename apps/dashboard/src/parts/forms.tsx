import { notifications } from '@mantine/notifications';
import { fieldErrors, isApiError } from '../api/index.ts';
import { ErrorState, sentenceOf, titleOf } from './states.tsx';

type Props = {
  error: unknown;
  /** The fields that the form shows: their errors stand there, all others here. */
  fields: readonly string[];
  under?: string;
};

/** Above a form: what was refused and is no matter of one of its fields. */
export function FormError({ error, fields, under }: Props) {
  if (!error) return null;
  const all = isApiError(error) ? error.errors : [];
  const own = Object.keys(fieldErrors(error, under)).filter((path) => fields.includes(path));
  if (all.length > 0 && own.length === all.length) return null;
  return <ErrorState error={error} />;
}

const DISMISS = { 'aria-label': 'Dismiss' };

/** A failure that belongs to no form: shown in the corner for a while. */
export const tellError = (error: unknown): void => {
  notifications.show({
    color: 'red',
    title: titleOf(error),
    message: sentenceOf(error),
    role: 'alert',
    closeButtonProps: DISMISS,
  });
};

/** That something is done, in a few words: "Key revoked". */
export const tellDone = (message: string): void => {
  notifications.show({ message, role: 'status', closeButtonProps: DISMISS });
};
