import type { Import } from '@leadwire/contract/dashboard';
import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import { useApi } from '../../api/index.ts';
import {
  BackLink,
  Facts,
  Loaded,
  None,
  PageHeader,
  Section,
  StatusBadge,
  Timestamp,
} from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { BadRows } from './BadRows.tsx';
import { Failure } from './Failure.tsx';
import { Outcome } from './Outcome.tsx';
import { Preparation } from './Preparation.tsx';
import type { ImportProps } from './params.ts';
import { SettingsShown } from './SettingsShown.tsx';
import { hasRun, isAhead, isUnderWay, STATES, sizeText } from './words.ts';

const route = getRouteApi('/signed-in/a/$account/imports/$import');
const RUNNING_MS = 1_000;
const CALM_MS = 10_000;

/** One import, from the file as it was read to the outcome of each row. */
export function ImportPage() {
  const params = route.useParams();
  const found = useApi(
    'getImport',
    { params },
    {
      refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? RUNNING_MS : CALM_MS),
    },
  );
  const state = found.data && STATES[found.data.state];
  return (
    <>
      <PageHeader
        title={found.data?.file_name ?? 'Import'}
        back={
          <BackLink to="/a/$account/imports" params={{ account: params.account }}>
            Imports
          </BackLink>
        }
        badge={state && <StatusBadge tone={state.tone}>{state.label}</StatusBadge>}
      />
      <Loaded query={found}>{(data) => <Parts found={data} params={params} />}</Loaded>
    </>
  );
}

/** What matters now stands first: what is to be set, or how far it is and what came of it. */
function Parts({ found, params }: ImportProps) {
  const account = useAccount();
  const isPrepared = isAhead(found) && account.may('imports.run');
  const wasPrepared = useRef(false);
  wasPrepared.current ||= isPrepared;
  return (
    <>
      {(found.state === 'uploading' || found.state === 'failed') && (
        <Failure {...{ found, params }} />
      )}
      {isPrepared && <Preparation key={found.id} {...{ found, params }} />}
      {!isPrepared && (isAhead(found) || hasRun(found)) && (
        <>
          <Outcome {...{ found, params }} takesFocus={wasPrepared.current} />
          <BadRows {...{ found, params }} />
          <SettingsShown {...{ found, params }} />
        </>
      )}
      <About found={found} />
    </>
  );
}

const About = ({ found }: { found: Import }) => (
  <Section title="The file">
    <Facts
      facts={[
        ['Size', sizeText(found.bytes)],
        ['Uploaded by', found.made_by ?? <None>Command line</None>],
        ['Uploaded', <Timestamp key="made" value={found.created_at} />],
        ...timeOf(hasRun(found) ? 'Import started' : 'Last check started', found.started_at),
        ...timeOf('Ended', found.finished_at),
        ...timeOf('The file is kept until', found.file_kept_until),
      ]}
    />
  </Section>
);

const timeOf = (name: string, value: string | null) =>
  value ? ([[name, <Timestamp key={name} value={value} />]] as const) : [];
