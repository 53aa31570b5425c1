import type { TimelineEntry } from '@leadwire/contract/dashboard';
import { Alert, Button, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Answer, type ApiError, call } from '../../api/index.ts';
import { EmptyState, ErrorState, Loading, Section } from '../../parts/index.ts';
import type { LeadParams } from './LeadPage.tsx';
import classes from './leads.module.css';
import type { Kind } from './search.ts';
import { TimelineItem } from './TimelineItem.tsx';

const route = getRouteApi('/signed-in/a/$account/leads/$lead');

const KIND_OF: Readonly<Record<TimelineEntry['kind'], Kind>> = {
  change: 'changes',
  event: 'events',
  attempt: 'deliveries',
  waiting: 'deliveries',
};

/** All that happened to a lead in one line of time, newest first. */
export function Timeline({ params }: { params: LeadParams }) {
  const { show } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Section
      title="Timeline"
      description="Every change with before and after, every event, and every attempt to deliver one with the endpoint's answer."
      actions={
        <SegmentedControl
          size="xs"
          aria-label="What of the timeline is shown"
          value={show ?? 'all'}
          onChange={(value) =>
            void navigate({
              search: value === 'all' ? {} : { show: value as Kind },
              replace: true,
              resetScroll: false,
            })
          }
          data={[
            { value: 'all', label: 'All' },
            { value: 'changes', label: 'Changes' },
            { value: 'events', label: 'Events' },
            { value: 'deliveries', label: 'Deliveries' },
          ]}
        />
      }
    >
      <Entries {...{ params, show }} />
    </Section>
  );
}

type Page = Answer<'getTimeline'>;

const useTimeline = (params: LeadParams) =>
  useInfiniteQuery<Page, ApiError, Page[], readonly unknown[], number | undefined>({
    queryKey: ['getTimeline', params],
    queryFn: ({ pageParam: cursor, signal }) =>
      call('getTimeline', { params, query: cursor === undefined ? {} : { cursor } }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    select: ({ pages }) => pages,
  });

function Entries({ params, show }: { params: LeadParams; show: Kind | undefined }) {
  const timeline = useTimeline(params);
  if (timeline.isPending) return <Loading />;
  if (timeline.isError) {
    return <ErrorState error={timeline.error} retry={() => void timeline.refetch()} />;
  }
  const entries = timeline.data
    .flatMap((page) => page.entries)
    .filter(({ kind }) => !show || KIND_OF[kind] === show);
  return (
    <>
      {timeline.data.some((page) => page.attempts_left_out) && (
        <Alert color="gray" mb="sm">
          Not every attempt is listed here. A delivery's own page has all of them.
        </Alert>
      )}
      {entries.length === 0 && (
        <EmptyState title={`No ${show ?? 'entries'} here`}>
          {show === 'deliveries'
            ? 'Nothing was sent to a webhook for this lead. Attempts are kept for as long as Settings say.'
            : 'Show all of the timeline, or load what is older.'}
        </EmptyState>
      )}
      <ol className={classes.timeline}>
        {entries.map((entry) => (
          <TimelineItem key={keyOf(entry)} {...{ entry, params }} />
        ))}
      </ol>
      {timeline.hasNextPage && (
        <Button
          mt="sm"
          size="xs"
          variant="default"
          loading={timeline.isFetchingNextPage}
          onClick={() => void timeline.fetchNextPage()}
        >
          Load older
        </Button>
      )}
    </>
  );
}

function keyOf(entry: TimelineEntry): string {
  if (entry.kind === 'change') return `change ${entry.version}`;
  if (entry.kind === 'event') return entry.event_id;
  return `${entry.kind} ${entry.delivery_id} ${entry.at}`;
}
