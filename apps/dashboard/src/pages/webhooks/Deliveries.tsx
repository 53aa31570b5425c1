import type { Delivery } from '@leadwire/contract';
import { Button, Group } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useApi } from '../../api/index.ts';
import {
  type Column,
  DataTable,
  EmptyState,
  FilterSelect,
  FilterText,
  Loaded,
  Mono,
  Pager,
  RelativeTime,
  Section,
  StatusBadge,
  TextLink,
} from '../../parts/index.ts';
import { refreshMs } from './moving.ts';
import { NextAttempt } from './NextAttempt.tsx';
import type { WebhookParams } from './params.ts';
import { cursorOf, type DeliveriesSearch, newer, older } from './search.ts';
import { DELIVERY_STATES, EVENT_TYPES, outcomeShort } from './words.ts';

const route = getRouteApi('/signed-in/a/$account/webhooks/$webhook');

/** What became of each event for this webhook; filters and page stand in the address. */
export function Deliveries({ params, isActive }: { params: WebhookParams; isActive: boolean }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = (next: DeliveriesSearch) => void navigate({ search: next, resetScroll: false });
  const query = queryOf(search);
  const deliveries = useApi(
    'listDeliveries',
    { params, query },
    {
      keepPrevious: true,
      refetchInterval: ({ state: { data } }) => (search.at ? false : refreshMs(data?.data)),
    },
  );
  return (
    <Section title="Deliveries" description="One line for each event; newest first.">
      <Filters search={search} onChange={show} />
      <Loaded query={deliveries}>
        {({ data, nextCursor }) => (
          <>
            {data.length === 0 ? (
              <Empty search={search} hasMore={nextCursor !== null} onClear={() => show({})} />
            ) : (
              <DataTable
                label="List of deliveries"
                columns={columnsOf(params, isActive)}
                rows={data}
                rowKey={({ id }) => id}
                isStale={deliveries.isPlaceholderData}
              />
            )}
            <Pager
              onNewer={search.at ? () => show(newer(search)) : undefined}
              onOlder={nextCursor ? () => show(older(search, nextCursor)) : undefined}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const queryOf = (search: DeliveriesSearch) => ({
  ...{ state: search.state, type: search.type, event_id: search.event },
  cursor: cursorOf(search),
});

type FiltersProps = { search: DeliveriesSearch; onChange: (search: DeliveriesSearch) => void };

function Filters({ search, onChange }: FiltersProps) {
  // Another filter begins at its first page.
  const set = (name: 'state' | 'type' | 'event', value: string) => {
    const { at, [name]: _before, ...rest } = search;
    onChange(value ? { ...rest, [name]: value } : rest);
  };
  return (
    <Group gap="sm" mb="sm" align="flex-end">
      <FilterSelect
        label="State"
        value={search.state ?? ''}
        onChange={(state) => set('state', state)}
        options={Object.entries(DELIVERY_STATES).map(([value, { label }]) => ({ value, label }))}
      />
      <FilterSelect
        label="Event type"
        value={search.type ?? ''}
        onChange={(type) => set('type', type)}
        options={EVENT_TYPES}
      />
      <FilterText
        key={search.event}
        label="Event id"
        placeholder="evt_…"
        value={search.event ?? ''}
        onChange={(event) => set('event', event.trim())}
      />
    </Group>
  );
}

type EmptyProps = { search: DeliveriesSearch; hasMore: boolean; onClear: () => void };

function Empty({ search, hasMore, onClear }: EmptyProps) {
  if (Object.keys(search).length === 0) {
    return (
      <EmptyState title="Nothing was sent yet">
        Events of the chosen types appear here as they happen. Replay events to send older ones;
        tests are not listed.
      </EmptyState>
    );
  }
  const clear = (
    <Button variant="default" size="xs" onClick={onClear}>
      Show all deliveries
    </Button>
  );
  return (
    <EmptyState title={hasMore ? 'Nothing here yet' : 'No delivery matches'} action={clear}>
      {hasMore
        ? 'Among the events of this page none matches. Older events are a page further on.'
        : 'Choose another state or type, or look for another event.'}
    </EmptyState>
  );
}

const columnsOf = (params: WebhookParams, isActive: boolean): Column<Delivery>[] => [
  {
    key: 'event',
    header: 'Event',
    isName: true,
    cell: ({ id, event_type }) => (
      <TextLink
        to="/a/$account/webhooks/$webhook/deliveries/$delivery"
        params={{ ...params, delivery: id }}
        size="sm"
      >
        {event_type}
      </TextLink>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ state }) => (
      <StatusBadge tone={DELIVERY_STATES[state].tone}>{DELIVERY_STATES[state].label}</StatusBadge>
    ),
  },
  {
    key: 'answer',
    header: 'Last answer',
    wide: true,
    cell: ({ last_status, last_error }) => outcomeShort({ status: last_status, error: last_error }),
  },
  { key: 'attempts', header: 'Attempts', align: 'right', wide: true, cell: attemptsText },
  {
    key: 'happened',
    header: 'Happened',
    cell: ({ created_at }) => <RelativeTime value={created_at} />,
  },
  {
    key: 'next',
    header: 'Next attempt',
    wide: true,
    cell: ({ next_attempt_at }) => <NextAttempt at={next_attempt_at} isActive={isActive} />,
  },
  {
    key: 'id',
    header: 'Event id',
    wide: true,
    cell: ({ event_id }) => <Mono cut>{event_id}</Mono>,
  },
];

const attemptsText = ({ attempt_count: n }: Delivery): string => (n >= 1000 ? '1000+' : String(n));
