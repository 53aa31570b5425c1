import type { ApiKey } from '@leadwire/contract/dashboard';
import { Stack, Text } from '@mantine/core';
import { useChange } from '../../api/index.ts';
import { ConfirmDialog, RelativeTime, tellDone } from '../../parts/index.ts';
import { useFormsOf } from './KeyForms.tsx';

type Props = {
  apiKey: ApiKey;
  params: { account: string; key: string };
  opened: boolean;
  onClose: () => void;
};

/** Asks before a key is refused for good. */
export function RevokeKey({ apiKey, params, opened, onClose }: Props) {
  const revoke = useChange('revokeKey', {
    refreshes: ['listKeys', 'getKey', 'listForms', 'getForm'],
    onSuccess: () => {
      tellDone('Key revoked');
      close();
    },
  });
  const close = () => {
    revoke.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Revoke “${apiKey.name}”?`}
      {...{ opened, onClose: close }}
      confirm="Revoke key"
      onConfirm={() => revoke.mutate({ params })}
      isPending={revoke.isPending}
      error={revoke.error}
    >
      <Stack gap="xs">
        <Text size="sm">
          Whoever uses this key can no longer send or read leads: every request with it is refused
          within a second. This cannot be undone; leads that came in stay.
        </Text>
        <LostForms params={params} />
        <Text size="sm">
          {apiKey.last_used_at ? (
            <>
              It was last used <RelativeTime value={apiKey.last_used_at} />.
            </>
          ) : (
            'It was never used.'
          )}
        </Text>
      </Stack>
    </ConfirmDialog>
  );
}

/** What stops with the key. */
function LostForms({ params }: Pick<Props, 'params'>) {
  const forms = useFormsOf(params);
  if (forms.length === 0) return null;
  return (
    <Text size="sm">
      {forms.length === 1 ? 'A form stops with it' : `${forms.length} forms stop with it`}:{' '}
      <b>{forms.map(({ name }) => name).join(', ')}</b>. Visitors get “not found” until another key
      is chosen on the page of the form. To keep forms running, rotate the key instead.
    </Text>
  );
}
