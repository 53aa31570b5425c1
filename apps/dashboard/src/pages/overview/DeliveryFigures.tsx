import type { Overview } from '@leadwire/contract/dashboard';
import { Section, type Series, TextLink, TimeBars } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import classes from './overview.module.css';
import { RANGE_WORDS } from './range.ts';

type Deliveries = Overview['deliveries'];

const SERIES = [
  { key: 'succeeded', label: 'succeeded', tone: 1 },
  { key: 'failed', label: 'failed, tried again', tone: 2 },
  { key: 'given_up', label: 'given up', tone: 4 },
] as const satisfies readonly Series<Deliveries['points'][number]>[];

/** How attempts to deliver events to webhooks went, and how fast endpoints answered. */
export function DeliveryFigures({ overview }: { overview: Overview }) {
  const { deliveries, range, step_seconds: stepSeconds } = overview;
  const { succeeded, failed, given_up: givenUp } = deliveries.totals;
  const all = succeeded + failed + givenUp;
  const share = Math.floor((1000 * succeeded) / all) / 10;
  const description = `${share} % of the attempts succeeded ${RANGE_WORDS[range].within}.`;
  return (
    <Section title="Webhook deliveries" description={all > 0 ? description : undefined}>
      {all === 0 ? (
        <NothingSent />
      ) : (
        <>
          <TimeBars
            label="Attempts to deliver"
            points={deliveries.points}
            series={SERIES}
            stepSeconds={stepSeconds}
            heightPx={160}
          />
          <Latency latency={deliveries.latency_ms} />
        </>
      )}
    </Section>
  );
}

function NothingSent() {
  const { id: account } = useAccount();
  return (
    <p className={classes.nothing}>
      Nothing was sent in this time. Events go to the{' '}
      <TextLink
        to="/a/$account/webhooks"
        params={{ account }}
        underline="always"
        className={classes.inText}
      >
        webhooks
      </TextLink>{' '}
      of the account.
    </p>
  );
}

function Latency({ latency: { p50, p95, p99 } }: { latency: Deliveries['latency_ms'] }) {
  const facts = [
    ['Half answered within', p50],
    ['95 % within', p95],
    ['99 % within', p99],
  ] as const;
  return (
    <dl className={classes.latency}>
      {facts.map(([name, ms]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{duration(ms)}</dd>
        </div>
      ))}
    </dl>
  );
}

const duration = (ms: number | null): string => {
  if (ms === null) return 'nothing yet';
  return ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`;
};
