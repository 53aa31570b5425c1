import { Alert, Button, Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { type ApiError, isApiError, isSignedOut } from '../api/index.ts';
import classes from './parts.module.css';

type EmptyProps = {
  title: string;
  /** What to do next. */
  children: ReactNode;
  action?: ReactNode;
  icon?: ReactNode;
};

/** Nothing is there yet: says so, and what to do next. */
export function EmptyState({ title, children, action, icon }: EmptyProps) {
  return (
    <div className={classes.empty}>
      {icon ? <div aria-hidden>{icon}</div> : null}
      <p className={classes.emptyTitle}>{title}</p>
      <div className={classes.emptyText}>{children}</div>
      {action}
    </div>
  );
}

/** Something failed: says what, and what to do. */
export function ErrorState({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  return (
    <Alert
      color="red"
      role="alert"
      icon={<CircleAlert size={18} aria-hidden />}
      title={titleOf(error)}
    >
      <Stack gap="xs" align="flex-start">
        <span>{sentenceOf(error)}</span>
        {isApiError(error) && error.requestId && error.status >= 500 ? (
          <span>
            Request <code>{error.requestId}</code>: name it when you ask for help.
          </span>
        ) : null}
        {retry ? (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        ) : null}
      </Stack>
    </Alert>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  unreachable: 'No connection to the service',
  session_required: 'You were signed out meanwhile',
  sign_in_refused: 'Not signed in',
  sign_in_again: 'Begin again',
  code_refused: 'Wrong code',
  password_wrong: 'Wrong password',
  too_many_tries: 'Too many failed tries',
  link_invalid: 'This link is no longer good',
  member_already: 'You are a member already',
  last_owner: 'An account needs an owner',
  feature_off: 'Switched off',
  conflict: 'Somebody else changed this meanwhile',
  another_person: 'Somebody else is signed in now',
  400: 'That was not accepted',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Not possible as things are',
  413: 'Too large',
  429: 'Too many requests',
  503: 'The service is not available just now',
};

/** A few words on a failure. */
export const titleOf = (error: unknown): string =>
  (isApiError(error) && (TITLES[error.error] ?? TITLES[error.status])) || 'Something went wrong';

// What the service says of an address that holds nothing, whatever was asked for.
const GENERIC = 'There is nothing here.';

/** A sentence on a failure that says what to do. */
export function sentenceOf(error: unknown): string {
  if (!isApiError(error)) return 'The page met an error of its own. Load it again.';
  if (isSignedOut(error)) return 'Once you are signed in again, send it once more.';
  if (error.message === GENERIC) {
    return 'It does not exist, or no longer. Go back to the list and look there.';
  }
  if (error.status === 429 && error.retryAfterSeconds !== null) {
    return `Wait ${wordsOf(error.retryAfterSeconds)}, then try again.`;
  }
  return error.errors.length > 0
    ? error.errors.map(({ message }) => message).join('. ')
    : error.message;
}

const wordsOf = (seconds: number): string =>
  seconds < 120
    ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
    : `${Math.ceil(seconds / 60)} minutes`;

/** Where something is on its way. */
export function Loading({ rows = 4 }: { rows?: number }) {
  return (
    <Stack gap="sm" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars that never move
        <Skeleton key={row} height={row === 0 ? 28 : 18} width={row === 0 ? '40%' : '100%'} />
      ))}
    </Stack>
  );
}

type LoadedProps<Data> = {
  query: UseQueryResult<Data, ApiError>;
  children: (data: Data) => ReactNode;
  loading?: ReactNode;
};

/** What a query brought: the data, or that it is on its way, or why it did not come. Old data stays while a new try fails. */
export function Loaded<Data>({ query, children, loading = <Loading /> }: LoadedProps<Data>) {
  const { data, error, refetch } = query;
  if (data === undefined) {
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : loading;
  }
  return (
    <>
      {error ? <ErrorState error={error} retry={() => void refetch()} /> : null}
      {children(data)}
    </>
  );
}
