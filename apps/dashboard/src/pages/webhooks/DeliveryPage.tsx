import type { DeliveryDetail } from '@leadwire/contract';
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useApi, useChange, useLive } from '../../api/index.ts';
import {
  BackLink,
  Facts,
  JsonView,
  Loaded,
  Mono,
  None,
  PageHeader,
  Section,
  StatusBadge,
  TextLink,
  Timestamp,
  tellDone,
  tellError,
} from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { Attempts } from './Attempts.tsx';
import { refreshMs } from './moving.ts';
import { NextAttempt } from './NextAttempt.tsx';
import { DELIVERY_STATES } from './words.ts';

const route = getRouteApi('/signed-in/a/$account/webhooks/$webhook/deliveries/$delivery');
const LIVE = { deliveries: ['getDelivery'] } as const;

/** One event for one webhook: what is sent, every attempt, and what the endpoint answered. */
export function DeliveryPage() {
  const params = route.useParams();
  useLive(params.account, LIVE);
  const delivery = useApi(
    'getDelivery',
    { params },
    { refetchInterval: ({ state: { data } }) => refreshMs(data && [data]) },
  );
  const back = (
    <BackLink
      to="/a/$account/webhooks/$webhook"
      params={{ account: params.account, webhook: params.webhook }}
    >
      Deliveries of the webhook
    </BackLink>
  );
  const found = delivery.data;
  const state = found && DELIVERY_STATES[found.state];
  return (
    <>
      <PageHeader
        title={found?.event_type ?? 'Delivery'}
        back={back}
        badge={state && <StatusBadge tone={state.tone}>{state.label}</StatusBadge>}
        actions={found && <Retry delivery={found} />}
      />
      <Loaded query={delivery}>{(shown) => <Contents delivery={shown} />}</Loaded>
    </>
  );
}

const Contents = ({ delivery }: { delivery: DeliveryDetail }) => (
  <>
    <About delivery={delivery} />
    <Section title="Attempts">
      <Attempts delivery={delivery} />
    </Section>
    <Section title="Payload" description="The body as it is posted.">
      <JsonView label="Body of the event" value={delivery.event} />
    </Section>
  </>
);

function About({ delivery }: { delivery: DeliveryDetail }) {
  const { event_id, created_at, next_attempt_at, attempt_count, replay_id, id } = delivery;
  return (
    <Section title="Event">
      <Facts
        facts={[
          ['Event id (webhook-id)', <Mono key="event">{event_id}</Mono>],
          ['Happened', <Timestamp key="happened" value={created_at} />],
          ['Attempts', attempt_count >= 1000 ? '1000 or more' : String(attempt_count)],
          ['Next attempt', <NextAttempt key="next" at={next_attempt_at} />],
          ['About', <Subject key="about" event={delivery.event} />],
          ['Replay', replay_id ?? 'None'],
          ['Delivery id', <Mono key="id">{id}</Mono>],
        ]}
      />
    </Section>
  );
}

function Subject({ event: { data } }: Pick<DeliveryDetail, 'event'>) {
  const { account } = route.useParams();
  if ('campaign' in data) return `Campaign ${data.campaign.id}, ${data.campaign.name}`;
  return (
    <TextLink to="/a/$account/leads/$lead" params={{ account, lead: data.lead.id }} size="sm">
      Lead {data.lead.external_lead_id}
    </TextLink>
  );
}

/** Sends it again now. An inactive webhook gets nothing, so that nothing is offered. */
function Retry({ delivery }: { delivery: DeliveryDetail }) {
  const params = route.useParams();
  const account = useAccount();
  const { data: webhook } = useApi('getWebhook', {
    params: { account: params.account, webhook: params.webhook },
  });
  const retry = useChange('retryDelivery', {
    refreshes: ['getDelivery', 'listDeliveries', 'getWebhook'],
    onSuccess: () => tellDone('It is sent now; the attempt appears below'),
    onError: tellError,
  });
  if (!account.may('deliveries.send') || !webhook) return null;
  if (!webhook.active) return <None>Activate the webhook to send it again.</None>;
  const isWaiting = delivery.next_attempt_at !== null;
  return (
    <Button
      variant="default"
      size="sm"
      loading={retry.isPending}
      onClick={() => retry.mutate({ params })}
    >
      {isWaiting ? 'Send now' : 'Send again'}
    </Button>
  );
}
