import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useApi, useLive } from '../../api/index.ts';
import { BackLink, Loaded, PageHeader, StatusBadge } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { Deliveries } from './Deliveries.tsx';
import { Endpoint, SecretAndRemoval } from './Endpoint.tsx';
import { Health } from './Health.tsx';
import type { ShownWebhook, WebhookParams } from './params.ts';
import { ReplayDialog } from './ReplayDialog.tsx';
import { Replays } from './Replays.tsx';
import { TestDialog } from './TestDialog.tsx';
import { Verification } from './Verification.tsx';
import { EditWebhook, PauseWebhook } from './WebhookDialogs.tsx';
import { shortUrl, stateOf } from './words.ts';

const route = getRouteApi('/signed-in/a/$account/webhooks/$webhook');
const REFRESH_MS = 10_000;
const LIVE = { deliveries: ['getWebhook', 'listDeliveries', 'listReplays'] } as const;

/** One webhook: how it does, what became of each event, and what can be done about it. */
export function WebhookPage() {
  const params = route.useParams();
  useLive(params.account, LIVE);
  const webhook = useApi('getWebhook', { params }, { refetchInterval: REFRESH_MS });
  const back = (
    <BackLink to="/a/$account/webhooks" params={{ account: params.account }}>
      Webhooks
    </BackLink>
  );
  return (
    <>
      <Header {...{ webhook: webhook.data, params, back }} />
      <Loaded query={webhook}>
        {(found) => (
          <>
            <Health {...{ webhook: found, params }} />
            <Endpoint webhook={found} />
            <Deliveries params={params} isActive={found.active} />
            <Replays params={params} />
            <Verification />
            <SecretAndRemoval {...{ webhook: found, params }} />
          </>
        )}
      </Loaded>
    </>
  );
}

type HeaderProps = {
  webhook: ShownWebhook | undefined;
  params: WebhookParams;
  back: ReactNode;
};

/** One header before and after the webhook is here: the focus that it took stays. */
function Header({ webhook, params, back }: HeaderProps) {
  const state = webhook && stateOf(webhook);
  return (
    <PageHeader
      title={webhook ? shortUrl(webhook.url) : 'Webhook'}
      back={back}
      badge={state && <StatusBadge tone={state.tone}>{state.label}</StatusBadge>}
      actions={webhook && <Actions {...{ webhook, params }} />}
    />
  );
}

type Act = 'test' | 'replay' | 'edit' | 'pause';

function Actions({ webhook, params }: { webhook: ShownWebhook; params: WebhookParams }) {
  const account = useAccount();
  const [act, setAct] = useState<Act | null>(null);
  const dialog = (name: Act) => ({
    ...{ webhook, params, opened: act === name },
    onClose: () => setAct(null),
  });
  const button = (name: Act, text: string) => (
    <Button variant="default" size="sm" onClick={() => setAct(name)}>
      {text}
    </Button>
  );
  return (
    <>
      {account.may('deliveries.send') && button('test', 'Send test')}
      {account.may('deliveries.send') && webhook.active && button('replay', 'Replay events')}
      {account.may('webhooks.change') && button('edit', 'Edit')}
      {account.may('webhooks.change') && webhook.active && button('pause', 'Pause')}
      <TestDialog {...dialog('test')} />
      <ReplayDialog {...dialog('replay')} />
      <EditWebhook {...dialog('edit')} />
      <PauseWebhook {...dialog('pause')} />
    </>
  );
}
