import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/index.ts';
import { Dialog } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { KeyForm } from './KeyForm.tsx';
import { bodyOf } from './key-values.ts';
import { type NewPair, SecretShown } from './SecretShown.tsx';

/** Asks for a new key, then shows its secret; the secret is gone with the dialog. */
export function CreateKey({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const account = useAccount();
  const navigate = useNavigate();
  const [created, setCreated] = useState<NewPair | null>(null);
  const create = useChange('createKey', {
    refreshes: ['listKeys'],
    onSuccess: ({ key, secret_key: secretKey }) => setCreated({ apiKey: key, secretKey }),
  });
  const close = () => {
    create.reset();
    setCreated(null);
    onClose();
  };
  const look = async () => {
    const params = { account: account.id, key: created?.apiKey.id ?? '' };
    close();
    await navigate({ to: '/a/$account/keys/$key', params });
  };
  return (
    <Dialog
      title={created ? 'Key created' : 'Create an API key'}
      {...{ opened, keepOpen: created !== null, onClose: close, size: 'lg' }}
    >
      {created ? (
        <SecretShown {...created} onDone={() => void look()} />
      ) : (
        <KeyForm
          isPending={create.isPending}
          error={create.error}
          onSubmit={(values) =>
            create.mutate({ params: { account: account.id }, body: bodyOf(values, Date.now()) })
          }
          onCancel={close}
        />
      )}
    </Dialog>
  );
}
