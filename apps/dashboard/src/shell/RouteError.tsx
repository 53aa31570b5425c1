import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorState, PageHeader } from '../parts/index.ts';

/** A page that could not be shown: its data, or its script after an update of the service. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <>
      <PageHeader title="This page could not be shown" />
      <ErrorState error={error} retry={isOfAnOlderBuild(error) ? () => location.reload() : retry} />
    </>
  );
}

/** Its script is gone because the service was updated meanwhile: the sentence is each browser's own. */
const isOfAnOlderBuild = (error: unknown) =>
  error instanceof TypeError && /import|module/i.test(error.message);
