import { Alert, Box, Stack } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { ButtonLink, EmptyState } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import type { ImportProps } from './params.ts';
import { hasRun } from './words.ts';

/** A file that cannot be read, or is not here as a whole: why, and what to do. */
export function Failure({ found, params }: ImportProps) {
  const account = useAccount();
  const again = account.may('imports.run') && (
    <ButtonLink to="/a/$account/imports" params={{ account: params.account }} size="xs">
      Import another file
    </ButtonLink>
  );
  if (found.state === 'failed') {
    return (
      <Alert
        mb="lg"
        color="red"
        icon={<CircleAlert size={18} aria-hidden />}
        title="This file cannot be imported"
      >
        <Stack gap="xs" align="flex-start">
          <span>{found.failure?.message}</span>
          <span>
            {hasRun(found)
              ? 'The leads above that place were written; when the file is imported anew, they are not made twice.'
              : 'Nothing was written.'}
          </span>
          {again}
        </Stack>
      </Alert>
    );
  }
  const { arrived, of } = found.parts;
  return (
    <Box mb="lg">
      <EmptyState title="The file is not here yet" action={again}>
        {arrived} of {of} parts have arrived. The page on which it was chosen sends the rest; if
        that page was closed, choose the file anew. What arrived of it is removed by itself.
      </EmptyState>
    </Box>
  );
}
