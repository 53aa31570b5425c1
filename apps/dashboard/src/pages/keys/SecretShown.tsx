import type { ApiKey } from '@leadwire/contract/dashboard';
import { Button, Stack, Tabs, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useApi } from '../../api/index.ts';
import { CodeBlock, CopyField, DialogActions, SecretOnce } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { bearerSnippet, hmacSnippet, type SnippetInput } from './snippets.ts';

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
      <Tabs defaultValue="bearer">
        <Tabs.List aria-label="Try the key">
          <Tabs.Tab value="bearer">Try it: Bearer</Tabs.Tab>
          <Tabs.Tab value="hmac">Try it: HMAC</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="bearer" pt="xs">
          <CodeBlock code={bearerSnippet(input)} label="curl with the secret key" />
        </Tabs.Panel>
        <Tabs.Panel value="hmac" pt="xs">
          <CodeBlock code={hmacSnippet(input)} label="curl with a signature" />
        </Tabs.Panel>
      </Tabs>
      <Text size="sm" c="dimmed">
        With HMAC the secret never leaves the sender. Paste either into a shell.
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

/** The test lead goes to the account's first campaign. */
function useSnippetInput(key: ApiKey, secretKey: string): SnippetInput & { hasCampaign: boolean } {
  const account = useAccount();
  const { data } = useApi('listCampaigns', { params: { account: account.id } });
  const ids = data?.campaigns.map(({ id }) => id) ?? [];
  return {
    origin: window.location.origin,
    publicKey: key.public_key,
    secretKey,
    mayWrite: key.scopes.includes('leads:write'),
    campaign: ids.length > 0 ? Math.min(...ids) : 1,
    hasCampaign: data === undefined || ids.length > 0,
  };
}
