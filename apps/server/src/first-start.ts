import type { Management } from './management.ts';

/**
 * On an empty store: account `default`, campaign 1, a link for its owner, and a key. Of several nodes that start at once one does it.
 * @returns the link's token and the secret key, which are shown now and never again; null where the account existed.
 */
export async function prepareFirstStart({
  accounts,
  campaigns,
  apiKeys,
}: Management): Promise<{ secretKey: string; joinToken: string } | null> {
  const account = await accounts.createDefaultOnce();
  if (!account) return null;
  await campaigns.create(account.id, 'First campaign');
  const owner = { accountId: account.id, role: 'owner' as const, email: null };
  const { token: joinToken } = await accounts.invitations.create({
    ...{ ...owner, invitedBy: null, forever: true },
  });
  const { secretKey } = await apiKeys.create({
    accountId: account.id,
    name: 'First key',
    scopes: ['leads:read', 'leads:write'],
  });
  return { secretKey, joinToken };
}

/**
 * What to do where nobody can manage account `default` in the dashboard: its store is of a version without one, or the link of
 * the first start is not used yet. Null where it has an owner.
 */
export async function howToGetAnOwner({ accounts }: Management): Promise<string | null> {
  const { id } = await accounts.resolve('default');
  const members = await accounts.members.list(id);
  if (members.some(({ role }) => role === 'owner')) return null;
  return `account "default" has no owner in the dashboard yet; make a link to join as one: ${INVITE_OWNER}`;
}

const INVITE_OWNER = 'npx leadwire members invite --account default --role owner';

/** What a person reads on the first start: a command that works when pasted. `url`: where people and partners reach the service. */
export function firstStartText(
  url: string,
  { secretKey, joinToken }: { secretKey: string; joinToken: string },
): string {
  const lead = JSON.stringify({
    campaign_id: 1,
    external_lead_id: 'first-lead',
    phone: '+1 415 555 0132',
    email: 'ada@example.com',
    first_name: 'Ada',
  });
  return [
    '',
    `Leadwire is ready at ${url}. Account "default" and campaign 1 are made.`,
    'Sign up to the dashboard with this link; whoever opens it first becomes the owner:',
    '',
    `${url}/join#${joinToken}`,
    '',
    `It is good once. Another one: ${INVITE_OWNER}`,
    '',
    'This key is shown once; keep it. Send a first lead:',
    '',
    `curl -i ${url}/api/v1/insertion/leads -H 'Authorization: Bearer ${secretKey}' -d '${lead}'`,
    '',
    'See its event, as it would go to a webhook:',
    '',
    `npx leadwire listen --url ${url} --key ${secretKey} --from start`,
    '',
    '',
  ].join('\n');
}
