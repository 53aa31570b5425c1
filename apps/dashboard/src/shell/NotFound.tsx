import { ButtonLink, EmptyState, PageHeader } from '../parts/index.ts';

export function NotFound() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        title="There is nothing at this address"
        action={<ButtonLink to="/">Go to the start</ButtonLink>}
      >
        The address may be mistyped, or what was here has been removed.
      </EmptyState>
    </>
  );
}
