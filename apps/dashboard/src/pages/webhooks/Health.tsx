import { Alert, Button, Stack, Text } from '@mantine/core';
import { CircleAlert, CirclePause } from 'lucide-react';
import { RelativeTime } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import type { ShownWebhook, WebhookParams } from './params.ts';
import { useActivate } from './WebhookDialogs.tsx';
import { inactiveWords } from './words.ts';

type Props = { webhook: ShownWebhook; params: WebhookParams };

/** What is wrong with the endpoint, where something is, and what to do about it. */
export function Health({ webhook, params }: Props) {
  if (!webhook.active) return <Inactive {...{ webhook, params }} />;
  if (webhook.failing_since) return <Failing webhook={webhook} since={webhook.failing_since} />;
  return null;
}

function Inactive({ webhook, params }: Props) {
  const account = useAccount();
  const activate = useActivate(params);
  const { title, text } = inactiveWords(webhook.inactive_reason);
  const isRequested = webhook.inactive_reason === 'requested';
  return (
    <Alert
      mb="lg"
      color={isRequested ? 'gray' : 'red'}
      title={title}
      icon={
        isRequested ? <CirclePause size={18} aria-hidden /> : <CircleAlert size={18} aria-hidden />
      }
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text}</Text>
        {account.may('webhooks.change') ? (
          <Button size="xs" variant="default" loading={activate.isPending} onClick={activate.run}>
            Activate webhook
          </Button>
        ) : (
          <Text size="sm">An admin of the account can activate it.</Text>
        )}
      </Stack>
    </Alert>
  );
}

function Failing({ webhook, since }: { webhook: ShownWebhook; since: string }) {
  const { failures } = webhook.health;
  return (
    <Alert mb="lg" color="red" title="Failing" icon={<CircleAlert size={18} aria-hidden />}>
      <Text size="sm">
        {failures === 1 ? 'The last request failed' : `The last ${failures} requests failed`}; the
        first of them <RelativeTime value={since} />. Events are kept and tried again. After five
        days of failures alone the webhook is set inactive. Look at a delivery below for what the
        endpoint answers, mend it, then send a test.
      </Text>
    </Alert>
  );
}
