import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useChange } from '../../api/index.ts';
import {
  ConfirmDialog,
  ErrorState,
  Facts,
  formatCount,
  Section,
  tellError,
} from '../../parts/index.ts';
import { BadRows } from './BadRows.tsx';
import classes from './imports.module.css';
import type { ImportProps } from './params.ts';
import { ResultLink } from './ResultLink.tsx';
import { useCampaigns } from './useCampaigns.ts';
import type { Checking } from './useChecking.ts';
import { keepImport, type SettingsForm } from './useSettings.ts';
import { percentOf, progressText, rowsText } from './words.ts';

type Props = ImportProps & { settings: SettingsForm; checking: Checking };

/** Reads every row and writes nothing; then the import can be started. */
export function Check(props: Props) {
  const { found, params, settings, checking } = props;
  const isChecking = found.state === 'checking';
  // What an earlier one found does not hold while the rows are read again.
  const check = isChecking ? null : found.check;
  const wasChecked = useWasChecked(check !== null);
  const answer = useFocusKept(isChecking);
  const button = (
    <Button
      variant={check ? 'default' : 'filled'}
      loading={checking.isPending}
      onClick={checking.check}
    >
      {check ? 'Check again' : 'Check the file'}
    </Button>
  );
  return (
    <>
      <Section
        title="3. Check"
        description="Reads every row like a lead that is posted, and writes nothing."
      >
        <Stack gap="md" align="stretch">
          {checking.error && (
            <Refused error={checking.error} count={Object.keys(checking.errors).length} />
          )}
          <div ref={answer} tabIndex={-1} className={classes.focused}>
            {isChecking && <Running {...{ found, params }} />}
            {check ? <Found {...props} /> : <Unchecked wasChecked={wasChecked && !isChecking} />}
          </div>
          <Group gap="xs">
            {check && check.good > 0 && <Start {...{ found, params, settings, checking }} />}
            {!isChecking && button}
            {check && check.bad > 0 && (
              <ResultLink params={params} variant="default">
                Result as a file
              </ResultLink>
            )}
          </Group>
        </Stack>
      </Section>
      {check && <BadRows found={found} params={params} />}
    </>
  );
}

/** For what takes the focus where a button that had it is gone, as a check begins or ends. */
function useFocusKept(isChecking: boolean) {
  const element = useRef<HTMLDivElement>(null);
  const before = useRef(isChecking);
  useEffect(() => {
    const holder = document.activeElement;
    const isLost = holder === document.body || holder?.matches(':disabled');
    if (before.current !== isChecking && isLost) element.current?.focus();
    before.current = isChecking;
  }, [isChecking]);
  return element;
}

/** Whether a check was seen here before: what it found went with the setting that was changed since. */
function useWasChecked(isChecked: boolean): boolean {
  const [was, setWas] = useState(isChecked);
  if (isChecked && !was) setWas(true);
  return was;
}

const Unchecked = ({ wasChecked }: { wasChecked: boolean }) =>
  wasChecked ? (
    <Text size="sm" role="status">
      A setting was changed since the last check. Check the file again.
    </Text>
  ) : null;

function Running({ found, params }: ImportProps) {
  const client = useQueryClient();
  const stop = useChange('stopImport', {
    onSuccess: (answer) => keepImport(client, params, answer),
    onError: tellError,
  });
  const percent = percentOf(found);
  return (
    <div>
      {percent !== null && <Progress value={percent} mb={6} aria-label="Progress of the check" />}
      <Text size="sm">{progressText(found)}. It goes on when this page is left.</Text>
      <Button
        mt="xs"
        size="xs"
        variant="default"
        loading={stop.isPending}
        onClick={() => stop.mutate({ params })}
      >
        Stop the check
      </Button>
    </div>
  );
}

/** Errors of settings stand at those. */
const Refused = ({ error, count }: { error: NonNullable<Checking['error']>; count: number }) =>
  count > 0 ? (
    <Text size="sm" role="alert" c="var(--mantine-color-error)">
      {count === 1 ? 'One setting above is' : `${count} settings above are`} not right yet.
    </Text>
  ) : (
    <ErrorState error={error} />
  );

function Found({ found }: ImportProps) {
  if (!found.check) return null;
  const { rows, good, bad, phones_by_default_country } = found.check;
  return (
    <Facts
      facts={[
        ['Rows', formatCount(rows)],
        ['Good', formatCount(good)],
        ['Bad', formatCount(bad)],
        ...(phones_by_default_country > 0
          ? ([['Phones read by the country', formatCount(phones_by_default_country)]] as const)
          : []),
      ]}
    />
  );
}

function Start({ found, params, settings, checking }: Props) {
  const { labelOf } = useCampaigns(params.account);
  const [opened, setOpened] = useState(false);
  const { good = 0, bad = 0 } = found.check ?? {};
  return (
    <>
      <Button onClick={() => setOpened(true)}>Import {rowsText(good)}</Button>
      <ConfirmDialog
        title="Start this import?"
        confirm="Start import"
        destructive={false}
        opened={opened}
        onClose={() => setOpened(false)}
        onConfirm={checking.start}
        isPending={checking.isPending}
        error={checking.error}
      >
        <Text size="sm">
          {rowsText(good)} {good === 1 ? 'becomes a lead' : 'become leads'} of campaign{' '}
          {labelOf(settings.values.campaign_id ?? 0)}. Your webhooks are told of each lead that is
          new or changes. A lead of the campaign that has the same external id is not made twice:
          the file changes it.
        </Text>
        {bad > 0 && (
          <Text size="sm" mt="xs">
            {rowsText(bad)} {bad === 1 ? 'is' : 'are'} bad and left out. The result file names each.
          </Text>
        )}
        <Text size="sm" mt="xs">
          It goes on when this page is left, and can be stopped. Leads that were written stay.
        </Text>
      </ConfirmDialog>
    </>
  );
}
