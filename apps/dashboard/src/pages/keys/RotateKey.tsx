import type { ApiKey } from '@leadwire/contract/dashboard';
import { NativeSelect, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/index.ts';
import {
  Dialog,
  type DialogFormProps,
  ErrorState,
  FormActions,
  Timestamp,
} from '../../parts/index.ts';
import { useFormsOf } from './KeyForms.tsx';
import { type NewPair, SecretShown } from './SecretShown.tsx';

type Props = {
  apiKey: ApiKey;
  params: { account: string; key: string };
  opened: boolean;
  onClose: () => void;
};

type Rotated = NewPair & { replaced: ApiKey };

/** Replaces a key by a new one, then shows its secret; the secret is gone with the dialog. */
export function RotateKey({ apiKey, params, opened, onClose }: Props) {
  const navigate = useNavigate();
  const [rotated, setRotated] = useState<Rotated | null>(null);
  const rotate = useChange('rotateKey', {
    refreshes: ['listKeys', 'getKey', 'listForms', 'getForm'],
    onSuccess: ({ key, secret_key: secretKey, replaced }) =>
      setRotated({ apiKey: key, secretKey, replaced }),
  });
  const close = () => {
    rotate.reset();
    setRotated(null);
    onClose();
  };
  const look = async () => {
    const to = { account: params.account, key: rotated?.apiKey.id ?? '' };
    close();
    await navigate({ to: '/a/$account/keys/$key', params: to });
  };
  return (
    <Dialog
      title={rotated ? 'Key rotated' : `Rotate “${apiKey.name}”`}
      {...{ opened, keepOpen: rotated !== null, onClose: close, size: 'lg' }}
    >
      {rotated ? (
        <SecretShown
          apiKey={rotated.apiKey}
          secretKey={rotated.secretKey}
          onDone={() => void look()}
        >
          <Replaced apiKey={rotated.replaced} />
        </SecretShown>
      ) : (
        <Ask
          {...{ apiKey, params, isPending: rotate.isPending }}
          {...{ error: rotate.error, onCancel: close }}
          onSubmit={(hours) => rotate.mutate({ params, body: { overlap_hours: hours } })}
        />
      )}
    </Dialog>
  );
}

const OVERLAPS = [
  { value: '0', label: 'Not at all: refuse it at once' },
  { value: '1', label: 'For an hour' },
  { value: '24', label: 'For a day' },
  { value: '168', label: 'For a week' },
  { value: '720', label: 'For 30 days' },
];

type AskProps = DialogFormProps<number> & Pick<Props, 'apiKey' | 'params'>;

function Ask({ apiKey, params, isPending, error, onSubmit, onCancel }: AskProps) {
  const forms = useFormsOf(params);
  const [hours, setHours] = useState('24');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(Number(hours));
      }}
    >
      <Stack>
        {error ? <ErrorState error={error} /> : null}
        <Text size="sm">
          You get a new pair of keys with the same name, scopes and rate limit
          {apiKey.expires_at ? ', for as long a time as this one was given' : ''}. Give the partner
          the new pair while the old one still works.
        </Text>
        {forms.length > 0 && (
          <Text size="sm">
            Forms that share it move to the new key by themselves:{' '}
            <b>{forms.map(({ name }) => name).join(', ')}</b>.
          </Text>
        )}
        <NativeSelect
          label="How long the old key goes on working"
          data={OVERLAPS}
          value={hours}
          onChange={(event) => setHours(event.currentTarget.value)}
          data-autofocus
        />
        <Until expiresAt={apiKey.expires_at} hours={Number(hours)} />
      </Stack>
      <FormActions submit="Rotate key" {...{ onCancel, isPending }} isDestructive={hours === '0'} />
    </form>
  );
}

/** When the old key ends: never later than it would have. */
function Until({ expiresAt, hours }: { expiresAt: string | null; hours: number }) {
  if (hours === 0) {
    return (
      <Text size="sm">
        Whoever uses the old key is refused within a second, until they have the new one.
      </Text>
    );
  }
  const wanted = Date.now() + hours * 3_600_000;
  const until = expiresAt ? Math.min(wanted, Date.parse(expiresAt)) : wanted;
  return (
    <Text size="sm">
      The old key works until <Timestamp value={new Date(until).toISOString()} />.
    </Text>
  );
}

const Replaced = ({ apiKey }: { apiKey: ApiKey }) => (
  <Text size="sm">
    {apiKey.state === 'active' && apiKey.expires_at ? (
      <>
        The old key works until <Timestamp value={apiKey.expires_at} />.
      </>
    ) : (
      'The old key is refused from now on.'
    )}
  </Text>
);
