import { ActionIcon, Button, Group, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useApi } from '../../api/index.ts';
import { FilterSelect, FilterText } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { isFiltered, type LeadsSearch, readLeadsSearch } from './search.ts';
import { STATUSES } from './words.ts';

type Props = { search: LeadsSearch; onChange: (search: LeadsSearch) => void };

/** Search and filters of the list of leads. */
export function LeadFilters({ search, onChange }: Props) {
  // Another filter begins at its first page.
  const set = (name: keyof LeadsSearch, value: string) => {
    const { cursor: _page, [name]: _before, ...rest } = search;
    onChange(readLeadsSearch({ ...rest, [name]: value }));
  };
  return (
    <>
      <SearchBox
        key={search.search}
        text={search.search ?? ''}
        onSearch={(text) => set('search', text)}
      />
      <Group gap="sm" mb="md" align="flex-end">
        <CampaignFilter
          value={String(search.campaign_id ?? '')}
          onChange={(id) => set('campaign_id', id)}
        />
        <FilterSelect
          label="Status"
          value={search.status ?? ''}
          onChange={(status) => set('status', status)}
          options={Object.entries(STATUSES).map(([value, { label }]) => ({ value, label }))}
        />
        <FilterText
          key={search.source}
          label="Source"
          w={150}
          maxLength={255}
          placeholder="Exactly"
          value={search.source ?? ''}
          onChange={(source) => set('source', source)}
        />
        <DayFilter label="From" value={search.from ?? ''} onChange={(day) => set('from', day)} />
        <DayFilter label="To" value={search.to ?? ''} onChange={(day) => set('to', day)} />
        {isFiltered(search) && (
          <Button variant="subtle" size="xs" onClick={() => onChange({})}>
            Clear
          </Button>
        )}
      </Group>
    </>
  );
}

function SearchBox({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const [value, setValue] = useState(text);
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(value.trim());
        }}
      >
        <TextInput
          type="search"
          mb="sm"
          maw={560}
          aria-label="Search leads"
          placeholder="External id, phone, email, name"
          maxLength={320}
          autoComplete="off"
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          rightSection={
            <ActionIcon type="submit" variant="subtle" color="gray" aria-label="Search">
              <Search size={16} aria-hidden />
            </ActionIcon>
          }
        />
      </form>
    </search>
  );
}

function CampaignFilter({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const account = useAccount();
  const { data } = useApi('listCampaigns', { params: { account: account.id } });
  const known = (data?.campaigns ?? []).map(({ id, name }) => ({
    value: String(id),
    label: `${id} · ${name}`,
  }));
  const isUnknown = value !== '' && !known.some((campaign) => campaign.value === value);
  return (
    <FilterSelect
      label="Campaign"
      maw={220}
      value={value}
      onChange={onChange}
      options={[...(isUnknown ? [{ value, label: value }] : []), ...known]}
    />
  );
}

type DayProps = { label: string; value: string; onChange: (day: string) => void };

const DayFilter = ({ label, value, onChange }: DayProps) => (
  <TextInput
    type="date"
    label={label}
    size="xs"
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
