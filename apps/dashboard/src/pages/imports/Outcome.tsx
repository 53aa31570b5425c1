import type { Import } from '@leadwire/contract/dashboard';
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useChange } from '../../api/index.ts';
import { ButtonLink, ErrorState, Facts, formatCount, Section } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import classes from './imports.module.css';
import type { ImportProps } from './params.ts';
import { ResultLink } from './ResultLink.tsx';
import { keepImport } from './useSettings.ts';
import { hasRun, isUnderWay, leadsOf, percentOf, progressText } from './words.ts';

const TITLES: Partial<Record<Import['state'], string>> = {
  checking: 'Checking the file',
  running: 'Importing',
  stopped: 'Stopped',
  done: 'Done',
  failed: 'Broken off',
};

/** How far a check or a run is, and what came of the rows. `takesFocus`: what had it is gone, as the import has begun. */
export function Outcome({ found, params, takesFocus }: ImportProps & { takesFocus: boolean }) {
  const focused = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) focused.current?.focus();
  }, [takesFocus]);
  const percent = percentOf(found);
  const title = TITLES[found.state];
  const mayRead = useAccount().may('leads.export');
  return (
    <Section title={title ?? 'Not started yet'} description={descriptionOf(found, mayRead)}>
      <Stack gap="md">
        {title && (
          <div ref={focused} tabIndex={-1} className={classes.focused}>
            {isUnderWay(found) && percent !== null && (
              <Progress value={percent} mb={6} aria-label="Progress of the import" />
            )}
            <Text size="sm">{progressText(found)}</Text>
          </div>
        )}
        {hasRun(found) ? <Counts found={found} /> : <CheckCounts found={found} />}
        <Acts {...{ found, params }} />
      </Stack>
    </Section>
  );
}

/** `mayRead`: the result file is offered below. */
function descriptionOf(found: Import, mayRead: boolean): string {
  const { state } = found;
  if (state === 'checking')
    return 'Reads every row and writes nothing. It goes on when this page is left.';
  if (state === 'running') return 'It goes on when this page is left.';
  if (state === 'stopped')
    return 'What was imported stays. It can go on where it stopped, without a lead twice.';
  if (hasRun(found)) {
    if (!mayRead) return 'What became of the rows of the file.';
    const what = 'The result file has a line for each row of the file, with what became of it.';
    const mend = 'Mend bad rows there and import it: the others make no second lead.';
    return found.counts.failed > 0 ? `${what} ${mend}` : what;
  }
  return 'The file is here. A member of the account can check and start the import.';
}

const Counts = ({ found: { counts } }: { found: Import }) => (
  <Facts
    facts={[
      ['New leads', formatCount(counts.inserted)],
      ['Changed leads', formatCount(counts.patched)],
      ['Known, nothing new', formatCount(counts.deduped)],
      ['Bad rows', formatCount(counts.failed)],
    ]}
  />
);

const CheckCounts = ({ found: { check } }: { found: Import }) =>
  check && (
    <Facts
      facts={[
        ['Good rows', formatCount(check.good)],
        ['Bad rows', formatCount(check.bad)],
      ]}
    />
  );

function Acts({ found, params }: ImportProps) {
  const account = useAccount();
  return (
    <Group gap="xs" align="flex-start">
      {account.may('imports.run') && <StopAndGoOn {...{ found, params }} />}
      {hasRun(found) && found.state !== 'running' && (
        <ResultLink params={params} variant="filled">
          Result file
        </ResultLink>
      )}
      {leadsOf(found) > 0 && <LeadsLink {...{ found, params }} />}
    </Group>
  );
}

/** The leads of a file that names no source of its own are those of its source; else those of its campaign. */
function LeadsLink({ found: { settings }, params }: ImportProps) {
  if (!settings) return null;
  const { source, campaign_id } = settings;
  const isOfSource = source !== null && !settings.columns.includes('source');
  return (
    <ButtonLink
      variant="default"
      to="/a/$account/leads"
      params={{ account: params.account }}
      search={isOfSource ? { source } : campaign_id === null ? {} : { campaign_id }}
    >
      {isOfSource ? 'Leads of this source' : 'Leads of this campaign'}
    </ButtonLink>
  );
}

function StopAndGoOn({ found, params }: ImportProps) {
  const client = useQueryClient();
  const keep = { onSuccess: (answer: Import) => keepImport(client, params, answer) };
  const stop = useChange('stopImport', keep);
  const start = useChange('startImport', keep);
  const error = stop.error ?? start.error;
  return (
    <>
      {error && <ErrorState error={error} />}
      {found.state === 'running' && (
        <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate({ params })}>
          Stop
        </Button>
      )}
      {found.state === 'stopped' && (
        <Button loading={start.isPending} onClick={() => start.mutate({ params })}>
          Go on
        </Button>
      )}
    </>
  );
}
