import type { AttentionItem } from '@leadwire/contract/dashboard';
import type { ReactNode } from 'react';
import { useApi } from '../../api/index.ts';
import {
  formatCount,
  RelativeTime,
  Section,
  StatusBadge,
  TextLink,
  type Tone,
} from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import classes from './overview.module.css';

const REFRESH_MS = 30_000;

/** What somebody should look at. Nothing at all where nothing needs it: silence is the good news. */
export function Attention() {
  const { id: account } = useAccount();
  const { data } = useApi('getAttention', { params: { account } }, { refetchInterval: REFRESH_MS });
  if (!data || data.items.length === 0) return null;
  return (
    <Section title="Needs attention">
      <ul className={classes.attention}>
        {data.items.map((item) => (
          <li key={keyOf(item)}>
            <Item item={item} account={account} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const keyOf = (item: AttentionItem): string => {
  if (item.kind === 'unaccounted_events' || item.kind === 'insertion_off') return item.kind;
  if (item.kind === 'form_without_key') return item.form_id;
  return item.kind === 'key_expires' ? item.key_id : item.webhook_id;
};

function Item({ item, account }: { item: AttentionItem; account: string }) {
  if (item.kind === 'key_expires') return <ExpiringKey item={item} account={account} />;
  if (item.kind === 'form_without_key') return <FormWithoutKey item={item} account={account} />;
  if (item.kind === 'insertion_off') {
    return (
      <Line tone="bad" word="Leads are refused">
        Insertion is switched off, so that partners are answered 404 and nothing comes in. Its
        switch is in the{' '}
        <TextLink to="/a/$account/settings" params={{ account }} underline="always">
          settings
        </TextLink>
        .
      </Line>
    );
  }
  if (item.kind === 'unaccounted_events') {
    return (
      <Line tone="bad" word="Unaccounted events">
        {formatCount(item.count)} {item.count === 1 ? 'event is' : 'events are'} neither waiting,
        delivered nor given up. That must not happen: tell whoever runs this service to look into
        its log.
      </Line>
    );
  }
  return <Webhook item={item} account={account} />;
}

type WebhookItem = Extract<AttentionItem, { webhook_id: string }>;

function Webhook({ item, account }: { item: WebhookItem; account: string }) {
  const link = (
    <TextLink
      to="/a/$account/webhooks/$webhook"
      params={{ account, webhook: item.webhook_id }}
      underline="always"
      className={classes.url}
      title={item.url}
    >
      {item.url}
    </TextLink>
  );
  if (item.kind === 'webhook_failing') {
    return (
      <Line tone="warn" word="Webhook fails">
        {link} has failed {timesOf(item.failures)}; it began <RelativeTime value={item.since} />.
        What it misses is sent again later.
      </Line>
    );
  }
  return (
    <Line tone="bad" word="Webhook inactive">
      {link} was set inactive <RelativeTime value={item.since} />:{' '}
      {item.reason === 'gone'
        ? 'its endpoint answered 410 Gone.'
        : 'every request failed for five days.'}{' '}
      Nothing is sent to it.
    </Line>
  );
}

const timesOf = (failures: number): string =>
  failures === 1 ? 'once' : `${formatCount(failures)} times in a row`;

type FormItem = Extract<AttentionItem, { kind: 'form_without_key' }>;

const FormWithoutKey = ({ item, account }: { item: FormItem; account: string }) => (
  <Line tone="bad" word="Form takes nothing">
    <TextLink
      to="/a/$account/forms/$form"
      params={{ account, form: item.form_id }}
      underline="always"
      className={classes.url}
    >
      {item.name}
    </TextLink>{' '}
    is switched on, but its key was revoked or has expired: visitors cannot send it. Choose another
    key for it, or switch it off.
  </Line>
);

type KeyItem = Extract<AttentionItem, { kind: 'key_expires' }>;

const ExpiringKey = ({ item, account }: { item: KeyItem; account: string }) => (
  <Line tone="warn" word="Key expires">
    <TextLink
      to="/a/$account/keys/$key"
      params={{ account, key: item.key_id }}
      underline="always"
      className={classes.url}
    >
      {item.name}
    </TextLink>{' '}
    stops working <RelativeTime value={item.expires_at} />. Rotate it to go on without a gap.
  </Line>
);

const Line = ({ tone, word, children }: { tone: Tone; word: string; children: ReactNode }) => (
  <>
    <StatusBadge tone={tone}>{word}</StatusBadge>
    <p>{children}</p>
  </>
);
