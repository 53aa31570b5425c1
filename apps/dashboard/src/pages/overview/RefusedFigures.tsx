import type { Overview } from '@leadwire/contract/dashboard';
import { BarList, formatCount, Section, TextLink } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import classes from './overview.module.css';
import { RANGE_WORDS } from './range.ts';

const SERIES = [{ label: 'refused', tone: 4 }] as const;

const REASONS: Readonly<Record<string, string>> = {
  validation: 'A field was missing or wrong',
  malformed_json: 'The body was no JSON',
  empty_body: 'The body was empty',
  rate_limited: 'Over the rate limit of the key',
  invalid_bearer: 'The key was revoked or has expired',
  invalid_public_key: 'The public key was revoked or has expired',
  invalid_signature: 'The signature was wrong',
  signature_expired: 'The timestamp was more than 300 seconds off',
  payload_too_large: 'The body was too large',
  not_found: 'No such record',
  conflict: 'The lead had changed meanwhile',
};

/** Requests that were answered with an error, by reason. */
export function RefusedFigures({ overview }: { overview: Overview }) {
  const { id: account } = useAccount();
  const { total, by_reason: reasons } = overview.refused;
  const { within } = RANGE_WORDS[overview.range];
  const count = `${formatCount(total)} ${total === 1 ? 'request was' : 'requests were'} refused`;
  return (
    <Section title="Refused requests" description={total > 0 ? `${count} ${within}.` : undefined}>
      {total === 0 ? (
        <p className={classes.nothing}>Nothing was refused in this time.</p>
      ) : (
        <>
          <BarList
            label="Refused requests by reason"
            items={reasons.map(ofReason)}
            series={SERIES}
          />
          <p className={classes.nothing}>
            What was wrong with each of the last hundred stands on the page of its{' '}
            <TextLink
              to="/a/$account/keys"
              params={{ account }}
              underline="always"
              className={classes.inText}
            >
              key
            </TextLink>
            .
          </p>
        </>
      )}
    </Section>
  );
}

const ofReason = ({ reason, count }: Overview['refused']['by_reason'][number]) => ({
  key: reason,
  label: <span title={reason}>{REASONS[reason] ?? <code>{reason}</code>}</span>,
  values: [count],
});
