import type { ApiKey } from '@leadwire/contract/dashboard';
import { Button, SegmentedControl, Stack } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../api/index.ts';
import {
  BackLink,
  CopyField,
  Facts,
  Loaded,
  None,
  PageHeader,
  RelativeTime,
  Section,
  StatusBadge,
  TextLink,
  TimeBars,
  Timestamp,
} from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { KeyForms } from './KeyForms.tsx';
import { KeyProgram } from './Program.tsx';
import { Refusals } from './Refusals.tsx';
import { RevokeKey } from './RevokeKey.tsx';
import { RotateKey } from './RotateKey.tsx';
import { type KeySearch, RANGES } from './search.ts';
import { limitText, stateOf } from './words.ts';

type Params = { account: string; key: string };

const REFRESH_MS = 5_000;

/** One key: what it may, how it is used, and why requests with it were refused. */
export function KeyPage() {
  const account = useAccount();
  const { key = '' } = useParams({ strict: false });
  const params = { account: account.id, key };
  const query = useApi('getKey', { params });
  return (
    <>
      <Head {...{ apiKey: query.data, params }} />
      <Loaded query={query}>
        {(apiKey) => (
          <>
            <About {...{ apiKey, params }} />
            <KeyForms params={params} />
            <Usage params={params} />
            <Refusals params={params} />
            <KeyProgram apiKey={apiKey} />
          </>
        )}
      </Loaded>
    </>
  );
}

type Props = { apiKey: ApiKey; params: Params };

type Dialog = 'rotate' | 'revoke' | null;

/** Stays the same while the key is on its way, so that the focus that it takes is not lost. */
function Head({ apiKey, params }: { apiKey: ApiKey | undefined; params: Params }) {
  const [open, setOpen] = useState<Dialog>(null);
  const state = apiKey && stateOf(apiKey);
  const close = () => setOpen(null);
  return (
    <>
      <PageHeader
        title={apiKey?.name ?? 'API key'}
        badge={state && <StatusBadge tone={state.tone}>{state.label}</StatusBadge>}
        back={
          <BackLink to="/a/$account/keys" params={{ account: params.account }}>
            API keys
          </BackLink>
        }
        actions={apiKey && <Actions {...{ apiKey, onOpen: setOpen }} />}
      />
      {apiKey && (
        <>
          <RotateKey {...{ apiKey, params }} opened={open === 'rotate'} onClose={close} />
          <RevokeKey {...{ apiKey, params }} opened={open === 'revoke'} onClose={close} />
        </>
      )}
    </>
  );
}

function Actions({ apiKey, onOpen }: { apiKey: ApiKey; onOpen: (dialog: Dialog) => void }) {
  const account = useAccount();
  if (!account.may('keys.change') || apiKey.state !== 'active') return null;
  return (
    <>
      {!apiKey.replaced_by && (
        <Button variant="default" onClick={() => onOpen('rotate')}>
          Rotate
        </Button>
      )}
      <Button variant="default" onClick={() => onOpen('revoke')}>
        Revoke
      </Button>
    </>
  );
}

const About = ({ apiKey, params }: Props) => (
  <Section title="Key">
    <Stack gap="md">
      <CopyField label="Public key" value={apiKey.public_key} />
      <Facts
        facts={[
          ['Scopes', apiKey.scopes.join(', ')],
          ['Rate limit', limitText(apiKey.rate_limit)],
          ['Created', <Timestamp key="created" value={apiKey.created_at} />],
          ['Last used', <When key="used" value={apiKey.last_used_at} otherwise="Never" />],
          ...ending(apiKey),
          ...(apiKey.replaced_by
            ? [
                [
                  'Replaced by',
                  <TextLink
                    key="successor"
                    to="/a/$account/keys/$key"
                    params={{ account: params.account, key: apiKey.replaced_by }}
                    size="sm"
                  >
                    The key it was rotated into
                  </TextLink>,
                ] as const,
              ]
            : []),
        ]}
      />
    </Stack>
  </Section>
);

function ending({ state, expires_at: expires, revoked_at: revoked }: ApiKey) {
  if (revoked) return [['Revoked', <Timestamp key="revoked" value={revoked} />] as const];
  const name = state === 'expired' ? 'Expired' : 'Expires';
  if (!expires) return [[name, <None key="expires">Never</None>] as const];
  return [[name, <Timestamp key="expires" value={expires} />] as const];
}

const When = ({ value, otherwise }: { value: string | null; otherwise: string }) =>
  value ? <RelativeTime value={value} /> : <None>{otherwise}</None>;

function Usage({ params }: { params: Params }) {
  const { range = 'day' } = useSearch({ strict: false }) as KeySearch;
  const navigate = useNavigate();
  const usage = useApi(
    'getKeyUsage',
    { params, query: { range } },
    { keepPrevious: true, refetchInterval: REFRESH_MS },
  );
  const choose = (value: string) =>
    void navigate({ to: '.', search: { range: value } as never, replace: true });
  return (
    <Section
      title="Usage"
      description="Requests with this key. A row of a batch that failed counts as refused."
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Range of the chart"
          data={[...RANGES]}
          value={range}
          onChange={choose}
        />
      }
    >
      <Loaded query={usage}>
        {({ points, step_seconds: stepSeconds }) => (
          <TimeBars
            label="Requests over time"
            points={points}
            stepSeconds={stepSeconds}
            series={[
              { key: 'accepted', label: 'Accepted', tone: 1 },
              { key: 'refused', label: 'Refused', tone: 4 },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
