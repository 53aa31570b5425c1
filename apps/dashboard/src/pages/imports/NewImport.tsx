import type { Import } from '@leadwire/contract/dashboard';
import { Button, Progress, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Dialog, DialogActions, ErrorState } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { FileChoice } from './FileChoice.tsx';
import { type Upload, useUpload } from './useUpload.ts';
import { sizeText } from './words.ts';

type Props = { opened: boolean; onClose: () => void };

/** Asks for a file and sends it; then goes to the page of its import. */
export function NewImport({ opened, onClose }: Props) {
  const account = useAccount();
  const navigate = useNavigate();
  const upload = useUpload(account.id, async ({ id }: Import) => {
    onClose();
    await navigate({
      to: '/a/$account/imports/$import',
      params: { account: account.id, import: id },
    });
  });
  const isSending = upload.state?.isSending ?? false;
  const close = () => {
    upload.stop();
    onClose();
  };
  return (
    <Dialog
      title="Import a file"
      size="lg"
      {...{ opened, onClose: close, keepOpen: upload.state !== null }}
    >
      {upload.state ? (
        <Sending {...upload} onCancel={close} />
      ) : (
        <FileChoice onChoose={upload.start} onCancel={close} />
      )}
      {isSending && <StaysOpen />}
    </Dialog>
  );
}

function Sending({ state, goOn, onCancel }: Upload & { onCancel: () => void }) {
  if (!state) return null;
  const { file, sentBytes, isSending, error } = state;
  return (
    <Stack gap="sm">
      <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
        {file.name}
      </Text>
      <Progress
        value={(sentBytes / file.size) * 100}
        aria-label={`Upload of ${file.name}`}
        data-autofocus
      />
      <Text size="sm">
        {sizeText(sentBytes)} of {sizeText(file.size)} uploaded
      </Text>
      {error ? (
        <ErrorState error={error} />
      ) : (
        <Text size="sm" c="dimmed">
          Keep this page open until the file is uploaded. Left before that, the upload starts anew
          with the file chosen again.
        </Text>
      )}
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          {isSending ? 'Stop upload' : 'Close'}
        </Button>
        {!isSending && <Button onClick={goOn}>Go on with the upload</Button>}
      </DialogActions>
    </Stack>
  );
}

/** Has the browser ask before the page is left. */
function StaysOpen() {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
  return null;
}
