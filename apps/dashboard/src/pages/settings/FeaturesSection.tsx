import type { Account } from '@leadwire/contract/dashboard';
import { Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, useChange } from '../../api/index.ts';
import { ConfirmDialog, Section, tellDone, tellError } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import classes from './settings.module.css';

type Shown = Account['features'][number];

const WORDS: Readonly<Record<Shown['feature'], { name: string; what: string; lost: string }>> = {
  insertion: {
    name: 'Insertion API',
    what: 'Partners send leads and read them back, below /api/v1/insertion.',
    lost: 'Every request of partners to send or read leads is answered with 404 until you switch it on again. Leads that they send meanwhile are not kept here.',
  },
  legacy_leads: {
    name: 'Legacy list',
    what: 'The list by offset, GET /api/v1/leads.',
    lost: 'Whoever reads leads by the legacy list gets 404 until you switch it on again.',
  },
  webhooks: {
    name: 'Webhooks over the API',
    what: 'Partners manage webhooks and read events with their keys, below /api/v1/webhooks and /api/v1/events.',
    lost: 'Whoever manages webhooks or reads events with an API key gets 404 until you switch it on again.',
  },
  forms: {
    name: 'Capture forms',
    what: 'Forms that visitors fill in on a web page, and lead forms of Google Ads.',
    lost: 'Forms of this account take no leads until you switch it on again.',
  },
};

/** What the account's partners can use. Switching off is asked twice: it is their requests that fail. */
export function FeaturesSection({ features }: { features: readonly Shown[] }) {
  const account = useAccount();
  const client = useQueryClient();
  const [ending, setEnding] = useState<Shown['feature'] | null>(null);
  const change = useChange('changeAccount', {
    onSuccess: (answer) => {
      // At once: until it is read again the switch would stand as it was.
      client.setQueryData(
        apiQuery('getAccount', { params: { account: account.id } }).queryKey,
        answer,
      );
      tellDone('Saved');
    },
    onError: (error) => (ending ? undefined : tellError(error)),
  });
  const set = (feature: Shown['feature'], on: boolean) =>
    change.mutate(
      { params: { account: account.id }, body: { features: { [feature]: on } } },
      { onSuccess: () => setEnding(null) },
    );
  return (
    <Section title="Features" description="What is switched off answers partners with 404.">
      <ul className={classes.list}>
        {features.map((one) => (
          <li key={one.feature}>
            <Switch
              label={WORDS[one.feature].name}
              description={descriptionOf(one)}
              checked={one.on && !one.off_everywhere}
              disabled={one.off_everywhere || !account.may('settings.change') || change.isPending}
              onChange={() => (one.on ? setEnding(one.feature) : set(one.feature, true))}
            />
          </li>
        ))}
      </ul>
      {ending ? (
        <ConfirmDialog
          title={`Switch off: ${WORDS[ending].name}?`}
          opened
          onClose={() => setEnding(null)}
          confirm="Switch off"
          onConfirm={() => set(ending, false)}
          isPending={change.isPending}
          error={change.error}
        >
          {WORDS[ending].lost}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}

const descriptionOf = ({ feature, off_everywhere }: Shown): string =>
  off_everywhere
    ? `${WORDS[feature].what} Switched off for this whole service by whoever runs it.`
    : WORDS[feature].what;
