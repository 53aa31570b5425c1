import type { TimelineEntry } from '@leadwire/contract/dashboard';
import { Clock3, PencilLine, Radio, Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { JsonView, Mono, StatusBadge, TextLink, Timestamp, type Tone } from '../../parts/index.ts';
import { Changes } from './Changes.tsx';
import type { LeadParams } from './LeadPage.tsx';
import classes from './leads.module.css';
import { CHANGES } from './words.ts';

type Entry<Kind extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: Kind }>;

/** One thing that happened to a lead. */
export function TimelineItem({ entry, params }: { entry: TimelineEntry; params: LeadParams }) {
  if (entry.kind === 'change') return <Change entry={entry} />;
  if (entry.kind === 'event') return <Event entry={entry} />;
  if (entry.kind === 'attempt') return <Attempt {...{ entry, params }} />;
  return <Waiting {...{ entry, params }} />;
}

type FrameProps = { icon: ReactNode; what: ReactNode; at: string; children?: ReactNode };

const Frame = ({ icon, what, at, children }: FrameProps) => (
  <li className={classes.entry}>
    {icon}
    <div className={classes.what}>
      <div className={classes.entryHead}>
        <span>{what}</span>
        <Timestamp value={at} />
      </div>
      {children}
    </div>
  </li>
);

function Change({ entry }: { entry: Entry<'change'> }) {
  const { change, actor, changes, address, request_id: request } = entry;
  const isFirst = change === 'inserted';
  const details = [address && `from ${address}`, request && requestText(request)].filter(Boolean);
  return (
    <Frame
      icon={<PencilLine size={16} aria-hidden />}
      at={entry.at}
      what={
        <>
          <b>{CHANGES[change] ?? change}</b> {actorText(actor)}
        </>
      }
    >
      {details.length > 0 && <div className={classes.note}>{details.join(', ')}</div>}
      {isFirst || change === 'erased' ? (
        <details className={classes.fold}>
          <summary>{`${changes.length} fields`}</summary>
          <Changes {...{ changes, isFirst }} />
        </details>
      ) : (
        <Changes changes={changes} />
      )}
    </Frame>
  );
}

/** A row of a file has the import and its line for a request. */
function requestText(request: string): string {
  const line = /^imp_[0-9a-f]{32}:(\d+)$/.exec(request)?.[1];
  return line === undefined ? `request ${request}` : `line ${line} of an imported file`;
}

function actorText({ type, id, name }: Entry<'change'>['actor']): string {
  if (type === 'api_key') return name ? `by the key ${name}` : `by the key ${id}`;
  if (type === 'form') return name ? `by the form ${name}` : 'by a form';
  if (type === 'operator') return 'by an import from the command line';
  return `by ${name ?? 'a person who is gone'}`;
}

const Event = ({ entry }: { entry: Entry<'event'> }) => (
  <Frame
    icon={<Radio size={16} aria-hidden />}
    at={entry.at}
    what={
      <>
        Event <b>{entry.type}</b>
      </>
    }
  >
    <div className={classes.note}>
      <Mono>{entry.event_id}</Mono>
    </div>
  </Frame>
);

const OUTCOMES: Readonly<Record<Entry<'attempt'>['outcome'], { label: string; tone: Tone }>> = {
  succeeded: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'warn' },
  given_up: { label: 'Given up', tone: 'bad' },
};

function Attempt({ entry, params }: { entry: Entry<'attempt'>; params: LeadParams }) {
  const { outcome, url, answer, next_attempt_at: next } = entry;
  const { label, tone } = OUTCOMES[outcome];
  return (
    <Frame
      icon={<Send size={16} aria-hidden />}
      at={entry.at}
      what={
        <>
          <StatusBadge tone={tone}>{label}</StatusBadge> {answerText(entry)}
        </>
      }
    >
      <div className={classes.note}>
        To <Mono>{url}</Mono>
        {next && (
          <>
            ; next attempt set for <Timestamp value={next} />
          </>
        )}
        . <ToDelivery {...{ entry, params }} />
      </div>
      {answer && (
        <details className={classes.fold}>
          <summary>Answer of the endpoint</summary>
          <JsonView label="Answer of the endpoint" value={answer} />
        </details>
      )}
    </Frame>
  );
}

function answerText({ status, error, detail, duration_ms: ms }: Entry<'attempt'>): string {
  const took = `${ms.toLocaleString('en-US')} ms`;
  if (status !== null) return `Status ${status} in ${took}`;
  const why = [error?.replaceAll('_', ' '), detail].filter(Boolean).join(', ');
  return `No answer (${why}) after ${took}`;
}

const Waiting = ({ entry, params }: { entry: Entry<'waiting'>; params: LeadParams }) => (
  <Frame
    icon={<Clock3 size={16} aria-hidden />}
    at={entry.at}
    what={
      <>
        <StatusBadge tone="info">Waiting</StatusBadge> to be sent
        {entry.attempts > 0 ? ` again, after ${entry.attempts} tries` : ''}
      </>
    }
  >
    <div className={classes.note}>
      To <Mono>{entry.url}</Mono>. <ToDelivery {...{ entry, params }} />
    </div>
  </Frame>
);

const ToDelivery = ({
  entry,
  params,
}: {
  entry: Entry<'attempt' | 'waiting'>;
  params: LeadParams;
}) => (
  <TextLink
    to="/a/$account/webhooks/$webhook/deliveries/$delivery"
    params={{ account: params.account, webhook: entry.webhook_id, delivery: entry.delivery_id }}
    size="sm"
  >
    Delivery
  </TextLink>
);
