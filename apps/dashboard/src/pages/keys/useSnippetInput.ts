import type { ApiKey } from '@leadwire/contract/dashboard';
import { useApi } from '../../api/index.ts';
import { useAccount } from '../../shell/account.ts';
import type { SnippetInput } from './snippets.ts';

/** What lines that try a key are filled with. The test lead goes to the account's first campaign. */
export function useSnippetInput(
  key: ApiKey,
  secretKey: string,
): SnippetInput & { hasCampaign: boolean } {
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
