import type { ApiKey } from '@leadwire/contract/dashboard';
import { Button, Stack, Tabs, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock, CopyField, DialogActions, SecretOnce } from '../../parts/index.ts';
import { Program } from './Program.tsx';
import { bearerSnippet, hmacSnippet } from './snippets.ts';
import { useSnippetInput } from './useSnippetInput.ts';

/** A key as it was just made. */
export type NewPair = { apiKey: ApiKey; secretKey: string };

type Props = NewPair & { children?: ReactNode; onDone: () => void };

/** Both halves of a new key, the secret one now and never again, with lines that try it. */
export function SecretShown({ apiKey, secretKey, children, onDone }: Props) {
  const { hasCampaign, ...input } = useSnippetInput(apiKey, secretKey);
  return (
    <Stack>
      {children}
      <SecretOnce label="Secret key" value={secretKey}>
        <CopyField label="Public key" value={apiKey.public_key} />
      </SecretOnce>
      <Text size="sm">
        Try it with curl{input.mayWrite ? ', or with a program that signs and retries' : ''}:
      </Text>
      <Tabs defaultValue="bearer" keepMounted={false}>
        <Tabs.List aria-label="Try the key">
          <Tabs.Tab value="bearer">Bearer</Tabs.Tab>
          <Tabs.Tab value="hmac">HMAC</Tabs.Tab>
          {input.mayWrite && <Tabs.Tab value="program">A program</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="bearer" pt="xs">
          <CodeBlock code={bearerSnippet(input)} label="curl with the secret key" />
        </Tabs.Panel>
        <Tabs.Panel value="hmac" pt="xs">
          <CodeBlock code={hmacSnippet(input)} label="curl with a signature" />
        </Tabs.Panel>
        <Tabs.Panel value="program" pt="xs">
          <Program {...input} />
        </Tabs.Panel>
      </Tabs>
      <Text size="sm" c="dimmed">
        With HMAC the secret never leaves the sender. Paste either line into a shell.
        {input.mayWrite && !hasCampaign
          ? ' Keep the line for later: it is refused until this account has a campaign, whose number is its campaign_id.'
          : null}
      </Text>
      <DialogActions>
        <Button onClick={onDone}>I have kept the secret</Button>
      </DialogActions>
    </Stack>
  );
}
