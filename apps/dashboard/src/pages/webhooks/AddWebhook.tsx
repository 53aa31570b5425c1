import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/index.ts';
import { Dialog } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { SecretShown } from './SecretShown.tsx';
import { WebhookForm, type WebhookValues } from './WebhookForm.tsx';

const EMPTY: WebhookValues = { url: '', events: ['lead.created'], description: '' };

type Props = { opened: boolean; onClose: () => void };

/** Asks for a new webhook, then shows its secret; the secret is gone with the dialog. */
export function AddWebhook({ opened, onClose }: Props) {
  const account = useAccount();
  const { created, create, close, look } = useNewWebhook(account.id, onClose);
  const send = ({ description, ...values }: WebhookValues) =>
    create.mutate({
      params: { account: account.id },
      body: { ...values, ...(description ? { description } : {}) },
    });
  return (
    <Dialog
      title={created ? 'Webhook added' : 'Add a webhook'}
      {...{ opened, keepOpen: created !== null, onClose: close, size: created ? 'xl' : 'lg' }}
    >
      {created ? (
        <SecretShown secret={created.secret} onDone={() => void look()} />
      ) : (
        <WebhookForm
          initial={EMPTY}
          submit="Add webhook"
          isPending={create.isPending}
          error={create.error}
          onSubmit={send}
          onCancel={close}
        />
      )}
    </Dialog>
  );
}

function useNewWebhook(account: string, onClose: () => void) {
  const navigate = useNavigate();
  const [created, setCreated] = useState<{ id: string; secret: string } | null>(null);
  const create = useChange('createWebhook', {
    refreshes: ['listWebhooks'],
    onSuccess: ({ id, secret }) => setCreated({ id, secret }),
  });
  const close = () => {
    create.reset();
    setCreated(null);
    onClose();
  };
  const look = async () => {
    const params = { account, webhook: created?.id ?? '' };
    close();
    await navigate({ to: '/a/$account/webhooks/$webhook', params });
  };
  return { created, create, close, look };
}
