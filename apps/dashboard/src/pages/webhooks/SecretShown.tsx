import { Button, Stack, Text } from '@mantine/core';
import { DialogActions, SecretOnce } from '../../parts/index.ts';
import { Snippets } from '../../snippets/index.ts';

/** A signing secret, now and never again, with a program that checks what it signs. */
export const SecretShown = ({ secret, onDone }: { secret: string; onDone: () => void }) => (
  <Stack>
    <SecretOnce label="Signing secret" value={secret} />
    <Text size="sm">A program that receives events and checks their signatures:</Text>
    <Snippets purpose="verify" environment={{ LEADWIRE_WEBHOOK_SECRET: secret }} />
    <DialogActions>
      <Button onClick={onDone}>I have kept the secret</Button>
    </DialogActions>
  </Stack>
);
