import type { Refusal } from '@leadwire/contract/dashboard';
import { Stack, Text } from '@mantine/core';
import { useApi } from '../../api/index.ts';
import {
  type Column,
  DataTable,
  EmptyState,
  GuideLink,
  Loaded,
  Mono,
  RelativeTime,
  Section,
  Sentences,
  StatusBadge,
  TextLink,
} from '../../parts/index.ts';
import classes from './keys.module.css';
import { adviceOn } from './words.ts';

const REFRESH_MS = 5_000;

/** Why requests with this key were refused: what was wrong, without what was sent. */
export function Refusals({ params }: { params: { account: string; key: string } }) {
  const query = useApi('listRefusals', { params }, { refetchInterval: REFRESH_MS });
  return (
    <Section
      title="Why was my lead rejected?"
      description="The last 100 refused requests with this key, newest first. What they held is not kept, only what was wrong with it."
      actions={<GuideLink guide="errors-and-retries">Guide: errors</GuideLink>}
    >
      <Loaded query={query}>
        {({ refusals }) =>
          refusals.length === 0 ? (
            <EmptyState title="Nothing was refused">
              Requests with this key that are refused appear here within a second or two.
            </EmptyState>
          ) : (
            <DataTable
              label="Refused requests"
              columns={columnsOf(params.account)}
              rows={refusals}
              rowKey={({ id }) => id}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const columnsOf = (account: string): Column<Refusal>[] => [
  {
    key: 'reason',
    header: 'Reason',
    isName: true,
    cell: ({ at, status, reason }) => (
      <Stack gap={2} align="flex-start">
        <span>{adviceOn(reason).title}</span>
        <StatusBadge tone={status === 429 ? 'warn' : 'bad'}>{status}</StatusBadge>
        <Text size="xs" c="dimmed">
          <RelativeTime value={at} />
        </Text>
      </Stack>
    ),
  },
  { key: 'what', header: 'What was wrong', cell: (refusal) => <What {...{ refusal, account }} /> },
  { key: 'request', header: 'Request', wide: true, cell: (refusal) => <Where refusal={refusal} /> },
];

function What({ refusal, account }: { refusal: Refusal; account: string }) {
  const { reason, message, fields, row } = refusal;
  return (
    <Stack gap={4} className={classes.what ?? ''}>
      {row !== null && <span>Row {row + 1} of a batch:</span>}
      {fields.length > 0 ? (
        <Sentences of={fields.map((field) => field.message)} />
      ) : (
        <span>{message.replaceAll('`', '')}</span>
      )}
      <Text size="xs" c="dimmed">
        {adviceOn(reason).todo}{' '}
        {reason === 'invalid_signature' && (
          <TextLink
            to="/a/$account/signature-check"
            params={{ account }}
            size="xs"
            underline="always"
          >
            Signature check
          </TextLink>
        )}
      </Text>
    </Stack>
  );
}

const Where = ({ refusal }: { refusal: Refusal }) => (
  <Stack gap={2}>
    <Mono>{`${refusal.method} ${refusal.route}`}</Mono>
    <Text size="xs" c="dimmed">
      {refusal.address === null ? 'sent by a form' : `from ${refusal.address}`}
    </Text>
    <Text size="xs" c="dimmed">
      X-Request-Id <Mono>{refusal.request_id}</Mono>
    </Text>
  </Stack>
);
