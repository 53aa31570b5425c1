import type { FormLogEntry } from '@leadwire/contract/dashboard';
import { Stack, Text } from '@mantine/core';
import { useApi } from '../../api/index.ts';
import {
  type Column,
  DataTable,
  EmptyState,
  JsonView,
  Loaded,
  Mono,
  RelativeTime,
  Section,
  Sentences,
  StatusBadge,
  TextLink,
} from '../../parts/index.ts';
import type { FormParams } from './FormDialogs.tsx';
import classes from './forms.module.css';
import { OUTCOMES, reasonText, viaName } from './words.ts';

const REFRESH_MS = 3_000;

/** What became of what was sent with the form. */
export function Submissions({ params }: { params: FormParams }) {
  const query = useApi('listFormLog', { params }, { refetchInterval: REFRESH_MS });
  return (
    <Section
      title="Submissions"
      description="The newest hundred. What a refused one held is not kept, only what was wrong with it."
    >
      <Loaded query={query}>
        {({ entries }) =>
          entries.length === 0 ? (
            <EmptyState title="Nothing was sent yet">
              What is sent with the form appears here within a few seconds. Open it by its link and
              send it once to try.
            </EmptyState>
          ) : (
            <DataTable
              label="List of submissions"
              columns={columnsOf(params.account)}
              rows={entries}
              rowKey={({ id }) => id}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const columnsOf = (account: string): Column<FormLogEntry>[] => [
  {
    key: 'outcome',
    header: 'Outcome',
    isName: true,
    cell: ({ outcome, at }) => (
      <Stack gap={2} align="flex-start">
        <StatusBadge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].label}</StatusBadge>
        <Text size="xs" c="dimmed" className={classes.when ?? ''}>
          <RelativeTime value={at} />
        </Text>
      </Stack>
    ),
  },
  { key: 'what', header: 'What', cell: (entry) => <What {...{ entry, account }} /> },
  { key: 'via', header: 'Came by', wide: true, cell: ({ via }) => viaName(via) },
  {
    key: 'request',
    header: 'X-Request-Id',
    wide: true,
    cell: ({ request_id: id }) => <Mono cut>{id}</Mono>,
  },
];

function What({ entry, account }: { entry: FormLogEntry; account: string }) {
  const { outcome, lead_id: lead, fields, test } = entry;
  return (
    <div className={classes.what}>
      {lead && (
        <TextLink to="/a/$account/leads/$lead" params={{ account, lead }} size="sm">
          Its lead
        </TextLink>
      )}
      {outcome === 'refused' && <span>{reasonText(entry)}</span>}
      {fields.length > 0 && <Sentences of={fields.map(({ message }) => message)} />}
      {test && (
        <details className={classes.fold}>
          <summary>The lead that it would have made</summary>
          <JsonView label="Lead of a test" value={test} />
        </details>
      )}
    </div>
  );
}
