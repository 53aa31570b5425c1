import type { BadRow } from '@leadwire/contract/dashboard';
import { Button, Group } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useApi } from '../../api/index.ts';
import { type Column, DataTable, formatCount, Loaded, Section } from '../../parts/index.ts';
import classes from './imports.module.css';
import type { ImportProps } from './params.ts';
import { targetText } from './targets.ts';
import { hasRun, reasonText } from './words.ts';

const route = getRouteApi('/signed-in/a/$account/imports/$import');

/** Every row that is no lead, with its line in the file and what is wrong with it. Nothing where there is none. */
export function BadRows({ found, params }: ImportProps) {
  const { after } = route.useSearch();
  const navigate = route.useNavigate();
  const count = badOf(found);
  const isRunning = found.state === 'running' || found.state === 'checking';
  const query = useApi(
    'listBadRows',
    { params, query: { cursor: after } },
    { keepPrevious: true, enabled: count > 0, ...(isRunning ? { refetchInterval: 3_000 } : {}) },
  );
  if (count === 0) return null;
  const show = (line: number | undefined) =>
    void navigate({ search: line === undefined ? {} : { after: line }, resetScroll: false });
  return (
    <Section
      title={`Bad rows: ${formatCount(count)}`}
      description="A row is left out as a whole. Lines are counted as a text editor does, the header being line 1."
    >
      <Loaded query={query}>
        {({ rows, next_cursor: next }) => (
          <>
            <DataTable
              label="Bad rows"
              columns={COLUMNS}
              rows={rows}
              rowKey={({ line }) => String(line)}
              isStale={query.isPlaceholderData}
            />
            {(after !== undefined || next !== null) && (
              <Group
                component="nav"
                gap="xs"
                mt="sm"
                justify="flex-end"
                aria-label="Pages of bad rows"
              >
                <Button
                  size="xs"
                  variant="default"
                  disabled={after === undefined}
                  onClick={() => show(undefined)}
                >
                  First rows
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  disabled={next === null}
                  onClick={() => show(next ?? undefined)}
                >
                  Next rows
                </Button>
              </Group>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** Of the run where there was one, else of the check. */
const badOf = (found: ImportProps['found']): number =>
  hasRun(found) ? found.counts.failed : (found.check?.bad ?? 0);

const COLUMNS: Column<BadRow>[] = [
  { key: 'line', header: 'Line', isName: true, cell: ({ line }) => line },
  {
    key: 'column',
    header: 'Column',
    cell: ({ errors }) => <Lines texts={errors.map(placeOf)} />,
  },
  {
    key: 'reason',
    header: 'What is wrong',
    cell: ({ errors }) => <Lines texts={errors.map(reasonText)} />,
  },
];

const placeOf = ({ column, field }: BadRow['errors'][number]): string =>
  column ?? (field ? targetText(field) : 'Whole row');

const Lines = ({ texts }: { texts: string[] }) =>
  texts.map((text, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes
    <div key={index} className={classes.any}>
      {text}
    </div>
  ));
