import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type Answer, useApi, useLive } from '../../api/index.ts';
import {
  ButtonLink,
  DataTable,
  EmptyState,
  Loaded,
  PageHeader,
  Pager,
  StatusBadge,
} from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { ExportLeads } from './ExportLeads.tsx';
import { LeadFilters } from './LeadFilters.tsx';
import { columnsOf } from './lead-columns.tsx';
import { isFiltered, type LeadsSearch, queryOf } from './search.ts';

const route = getRouteApi('/signed-in/a/$account/leads');

/** All leads of the account, newest first; search, filters and page stand in the address. */
export function LeadsPage() {
  const account = useAccount();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = (next: LeadsSearch) => void navigate({ search: next });
  // Only the newest leads can be joined by others; a search is not done again each second.
  const follows = !search.cursor && !search.search;
  const live = useLive(account.id, follows ? { leads: ['listLeads'] } : {});
  const leads = useApi(
    'listLeads',
    { params: { account: account.id }, query: queryOf(search) },
    { keepPrevious: true },
  );
  return (
    <>
      <PageHeader
        title="Leads"
        badge={follows && live === 'live' ? <StatusBadge tone="good">Live</StatusBadge> : null}
        actions={account.may('leads.export') && <ExportLeads search={search} />}
      />
      <LeadFilters search={search} onChange={show} />
      <Loaded query={leads}>
        {(page) => <Page {...{ page, search, show }} isStale={leads.isPlaceholderData} />}
      </Loaded>
    </>
  );
}

type PageProps = {
  page: Answer<'listLeads'>;
  search: LeadsSearch;
  show: (search: LeadsSearch) => void;
  isStale: boolean;
};

function Page({ page, search, show, isStale }: PageProps) {
  const account = useAccount();
  const { leads, next_cursor: older, previous_cursor: newer } = page;
  return (
    <>
      {leads.length === 0 ? (
        <NoLeads search={search} account={account.id} onClear={() => show({})} />
      ) : (
        <DataTable
          label="List of leads"
          columns={columnsOf(account.id)}
          rows={leads}
          rowKey={({ id }) => id}
          isStale={isStale}
        />
      )}
      <Pager
        onNewer={newer ? () => show({ ...search, cursor: newer }) : undefined}
        onOlder={older ? () => show({ ...search, cursor: older }) : undefined}
      />
    </>
  );
}

type NoLeadsProps = { search: LeadsSearch; account: string; onClear: () => void };

function NoLeads({ search, account, onClear }: NoLeadsProps) {
  if (!isFiltered(search) && !search.cursor) {
    return (
      <EmptyState
        title="No leads yet"
        action={
          <ButtonLink to="/a/$account/keys" params={{ account }} size="xs">
            Go to API keys
          </ButtonLink>
        }
      >
        Leads appear here as soon as a partner posts them. Create an API key: it comes with a curl
        line that sends the first one.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No lead matches"
      action={
        <Button variant="default" size="xs" onClick={onClear}>
          Show all leads
        </Button>
      }
    >
      {search.search
        ? 'Search for a whole external id, phone number or email address, or for part of a name; or take a filter away.'
        : 'Take a filter away, or choose other days.'}
    </EmptyState>
  );
}
