import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { CopyField, Facts, Mono, Section, Timestamp } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { NextAttempt } from './NextAttempt.tsx';
import type { ShownWebhook, WebhookParams } from './params.ts';
import { DeleteWebhook, RotateSecret } from './WebhookDialogs.tsx';
import { countUpTo1000 } from './words.ts';

/** What the webhook is, and what waits for it. */
export function Endpoint({ webhook }: { webhook: ShownWebhook }) {
  const { id, url, events, description, health, created_at } = webhook;
  return (
    <Section title="Endpoint">
      <Group grow mb="md" align="flex-start" preventGrowOverflow={false} wrap="wrap">
        <CopyField label="URL" value={url} />
        <CopyField label="Webhook id" value={id} />
      </Group>
      <Facts
        facts={[
          [
            'Events',
            events.map((type) => (
              <div key={type}>
                <Mono>{type}</Mono>
              </div>
            )),
          ],
          ['Description', description ?? 'None'],
          ['Waiting to be sent', countUpTo1000(health.waiting)],
          [
            'Next attempt',
            <NextAttempt key="next" at={health.next_attempt_at} isActive={webhook.active} />,
          ],
          ['Added', <Timestamp key="added" value={created_at} />],
        ]}
      />
    </Section>
  );
}

type Props = { webhook: ShownWebhook; params: WebhookParams };

/** The two acts that lose something. */
export function SecretAndRemoval({ webhook, params }: Props) {
  const account = useAccount();
  const [act, setAct] = useState<'rotate' | 'delete' | null>(null);
  if (!account.may('webhooks.change')) return null;
  const dialog = (name: 'rotate' | 'delete') => ({
    ...{ webhook, params, opened: act === name },
    onClose: () => setAct(null),
  });
  return (
    <Section title="Secret and removal">
      <Group gap="xs">
        <Button variant="default" size="sm" onClick={() => setAct('rotate')}>
          Rotate signing secret
        </Button>
        <Button variant="outline" color="red" size="sm" onClick={() => setAct('delete')}>
          Delete webhook
        </Button>
      </Group>
      <RotateSecret {...dialog('rotate')} />
      <DeleteWebhook {...dialog('delete')} />
    </Section>
  );
}
