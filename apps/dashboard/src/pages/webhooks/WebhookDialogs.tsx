import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/index.ts';
import { ConfirmDialog, Dialog, Mono, tellDone, tellError } from '../../parts/index.ts';
import type { WebhookDialogProps, WebhookParams } from './params.ts';
import { SecretShown } from './SecretShown.tsx';
import { WebhookForm, type WebhookValues } from './WebhookForm.tsx';
import { countUpTo1000, shortUrl } from './words.ts';

const SHOWN_IN = ['listWebhooks', 'getWebhook'] as const;

/** Sets a webhook active again; a failure is told in the corner. */
export function useActivate(params: WebhookParams) {
  const change = useChange('changeWebhook', {
    refreshes: SHOWN_IN,
    onSuccess: () => tellDone('Webhook active: events are sent from now on'),
    onError: tellError,
  });
  return {
    isPending: change.isPending,
    run: () => change.mutate({ params, body: { active: true } }),
  };
}

export function EditWebhook({ webhook, params, opened, onClose }: WebhookDialogProps) {
  const change = useChange('changeWebhook', {
    refreshes: SHOWN_IN,
    onSuccess: () => {
      tellDone('Webhook saved');
      onClose();
    },
  });
  const close = () => {
    change.reset();
    onClose();
  };
  const initial: WebhookValues = {
    ...{ url: webhook.url, events: webhook.events, description: webhook.description ?? '' },
  };
  const save = (values: WebhookValues) => {
    const body = changesOf(initial, values);
    if (Object.keys(body).length > 0) change.mutate({ params, body });
    else close();
  };
  return (
    <Dialog title="Edit webhook" {...{ opened, onClose: close, size: 'lg' }}>
      <WebhookForm
        {...{ initial, isPending: change.isPending, error: change.error }}
        submit="Save"
        onSubmit={save}
        onCancel={close}
      />
    </Dialog>
  );
}

/** Only what the person changed is sent: another's change of another field stays. */
const changesOf = (initial: WebhookValues, { url, events, description }: WebhookValues) => ({
  ...(url === initial.url ? {} : { url }),
  ...(events.join() === initial.events.join() ? {} : { events }),
  ...(description === initial.description ? {} : { description: description || null }),
});

export function PauseWebhook({ webhook, params, opened, onClose }: WebhookDialogProps) {
  const change = useChange('changeWebhook', {
    refreshes: SHOWN_IN,
    onSuccess: () => {
      tellDone('Webhook paused');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Pause this webhook?"
      confirm="Pause webhook"
      destructive={false}
      {...{ opened, onClose, isPending: change.isPending, error: change.error }}
      onConfirm={() => change.mutate({ params, body: { active: false } })}
    >
      Nothing more is sent to <Mono>{shortUrl(webhook.url)}</Mono> until it is activated. What waits
      stays waiting; events that happen meanwhile are not queued, but can be replayed later.
    </ConfirmDialog>
  );
}

export function RotateSecret({ params, opened, onClose }: WebhookDialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useChange('rotateWebhookSecret', {
    refreshes: SHOWN_IN,
    onSuccess: (answer) => setSecret(answer.secret),
  });
  const close = () => {
    rotate.reset();
    setSecret(null);
    onClose();
  };
  if (secret !== null) {
    return (
      <Dialog
        title="New signing secret"
        {...{ opened, keepOpen: true, onClose: close, size: 'xl' }}
      >
        <SecretShown secret={secret} onDone={close} />
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title="Rotate the signing secret?"
      confirm="Rotate secret"
      {...{ opened, onClose: close, isPending: rotate.isPending, error: rotate.error }}
      onConfirm={() => rotate.mutate({ params })}
    >
      A new secret is made and shown once. For 24 hours everything is signed with the secret of now,
      too; after that it is lost, and so is one that was rotated out earlier, at once.
    </ConfirmDialog>
  );
}

export function DeleteWebhook({ webhook, params, opened, onClose }: WebhookDialogProps) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const remove = useChange('deleteWebhook', {
    onSuccess: async () => {
      tellDone('Webhook deleted');
      // The list must not show it again for the blink until it is read anew.
      client.removeQueries({ queryKey: ['listWebhooks'] });
      await navigate({ to: '/a/$account/webhooks', params: { account: params.account } });
    },
  });
  const { waiting } = webhook.health;
  return (
    <ConfirmDialog
      title="Delete this webhook for good?"
      confirm="Delete webhook"
      {...{ opened, onClose, isPending: remove.isPending, error: remove.error }}
      onConfirm={() => remove.mutate({ params })}
    >
      Lost for good: the webhook to <Mono>{shortUrl(webhook.url)}</Mono>, its signing secret, its
      list of deliveries with every answer, its replays
      {waiting > 0
        ? `, and ${countUpTo1000(waiting)} ${waiting === 1 ? 'event' : 'events'} that wait to be sent`
        : ''}
      . The leads and events themselves stay. To stop for a while, pause it instead.
    </ConfirmDialog>
  );
}
