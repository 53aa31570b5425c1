import { FEATURES, type Feature } from '@leadwire/contract';
import type {
  Account,
  AccountAnswers,
  Invitation,
  Member,
  ShownInvitation,
} from '@leadwire/contract/dashboard';
import { AppError } from '../../../platform/errors/index.ts';
import type { Mailer } from '../../../platform/mail/index.ts';
import type { AccountMember, Accounts, OpenInvitation } from '../../accounts/index.ts';
import { memberNotFound } from '../../accounts/index.ts';
import type { People } from '../../people/index.ts';
import type { RateLimits } from '../../rate-limits/index.ts';
import type { DashboardHandlers } from '../request.ts';

type Deps = {
  accounts: Accounts;
  people: Pick<People, 'named'>;
  rateLimits: Pick<RateLimits, 'consume'>;
  mailer: Mailer | null;
  /** The start of links in mails. */
  publicUrl: string;
  /** Switched off for the whole deployment. */
  featuresOffEverywhere: readonly Feature[];
  retention: Account['retention'];
  log: { warn(fields: object, message: string): void };
};

type Some<Names extends keyof AccountAnswers> = DashboardHandlers<Names>;

/** An account's settings and its people. */
export const accountHandlers = (deps: Deps): DashboardHandlers<keyof AccountAnswers> => ({
  ...settings(deps),
  ...memberships(deps),
  ...invitations(deps),
});

const DONE = { done: true } as const;

// Whoever may invite can have the service send mail to anybody: not to everybody.
const INVITATIONS = { max: 100, windowSeconds: 60 * 60 };

function settings({
  accounts,
  featuresOffEverywhere,
  retention,
}: Deps): Some<'getAccount' | 'changeAccount'> {
  const show = async (accountId: string): Promise<Account> => {
    const { id, name, createdAt, featuresOff } = await accounts.get(accountId);
    const features = FEATURES.map((feature) => ({
      feature,
      on: !featuresOff.includes(feature),
      off_everywhere: featuresOffEverywhere.includes(feature),
    }));
    return { id, name, created_at: createdAt, features, retention };
  };

  return {
    getAccount: ({ accountId }) => show(accountId),

    async changeAccount({ accountId, body }) {
      if (body.name !== undefined) await accounts.rename(accountId, body.name);
      for (const [feature, on] of Object.entries(body.features ?? {})) {
        await accounts.setFeature(accountId, feature as Feature, on as boolean);
      }
      return show(accountId);
    },
  };
}

function memberships({
  accounts: { members },
  people,
}: Deps): Some<'leaveAccount' | 'listMembers' | 'changeMember' | 'removeMember'> {
  const shown = async (list: AccountMember[]): Promise<Member[]> => {
    const named = await people.named(list.map(({ personId }) => personId));
    return list.flatMap(({ personId, role, joinedAt }) => {
      const person = named.get(personId);
      return person ? [{ ...person, role, joined_at: joinedAt }] : [];
    });
  };

  return {
    async leaveAccount({ accountId, person: { id } }) {
      await members.remove(accountId, { askerId: id, personId: id });
      return DONE;
    },

    async listMembers({ accountId }) {
      return { members: await shown(await members.list(accountId)) };
    },

    async changeMember({ accountId, person, params, body }) {
      const change = { askerId: person.id, personId: params.person, role: body.role };
      await members.changeRole(accountId, change);
      const all = await shown(await members.list(accountId));
      const changed = all.find(({ id }) => id === params.person);
      // Removed by another in between.
      if (!changed) throw memberNotFound();
      return changed;
    },

    async removeMember({ accountId, person, params }) {
      await members.remove(accountId, { askerId: person.id, personId: params.person });
      return DONE;
    },
  };
}

function invitations(deps: Deps): Some<'listInvitations' | 'invite' | 'withdrawInvitation'> {
  const { accounts, people, rateLimits } = deps;
  const shown = async (list: OpenInvitation[]): Promise<Invitation[]> => {
    const named = await people.named(list.flatMap(({ invitedBy }) => invitedBy ?? []));
    return list.map(({ id, email, role, invitedBy, createdAt, expiresAt }) => ({
      ...{ id, email, role, created_at: createdAt, expires_at: expiresAt },
      invited_by: named.get(invitedBy ?? '')?.name ?? null,
    }));
  };

  return {
    async listInvitations({ accountId }) {
      return { invitations: await shown(await accounts.invitations.list(accountId)) };
    },

    async invite({ accountId, person, role, body, headers }) {
      const decision = await rateLimits.consume(`invitations/${accountId}`, INVITATIONS, 1);
      if (!decision.allowed) throw tooManyInvitations(decision.resetSeconds);
      const { invitation, token } = await accounts.invitations.create({
        ...{ accountId, role: body.role, email: body.email ?? null },
        invitedBy: { id: person.id, role },
      });
      const [one] = (await shown([invitation])) as [Invitation];
      if (body.email && (await mailLink(deps, accountId, { ...one, email: body.email }, token))) {
        return { invitation: one, link: null };
      }
      // The inviter's browser knows where the dashboard is; whoever it is asked by was checked to be it.
      const base = headers.get('origin') ?? deps.publicUrl;
      return { invitation: one, link: joinLink(base, token) };
    },

    async withdrawInvitation({ accountId, role, params }) {
      await accounts.invitations.withdraw(accountId, { role }, params.invitation);
      return DONE;
    },
  };
}

const tooManyInvitations = (seconds: number) =>
  new AppError({
    status: 429,
    code: 'rate_limited',
    message: `An account may invite ${INVITATIONS.max} people in an hour. Try again in ${Math.ceil(seconds / 60)} minutes.`,
    headers: { 'retry-after': String(seconds) },
  });

/** The token stands in the fragment, which browsers do not send: it is in no log. */
const joinLink = (base: string, token: string): string => `${base}/join#${token}`;

/** @returns false where it could not be mailed: the link is shown instead. */
async function mailLink(
  { mailer, accounts, publicUrl, log }: Deps,
  accountId: string,
  { email, role, invited_by }: Pick<Invitation, 'role' | 'invited_by'> & { email: string },
  token: string,
): Promise<boolean> {
  if (!mailer) return false;
  const { name } = await accounts.get(accountId);
  const link = joinLink(publicUrl, token);
  const mail = invitationMail({ account_name: name, role, email }, invited_by, link);
  return mailer.send({ to: email, ...mail }).then(
    () => true,
    (err) => {
      log.warn({ err }, 'an invitation could not be mailed');
      return false;
    },
  );
}

const invitationMail = (
  { account_name, role }: Omit<ShownInvitation, 'expires_at'>,
  inviter: string | null,
  link: string,
) => ({
  subject: `Join ${account_name} on Leadwire`,
  text: [
    `${inviter ?? 'Somebody'} invites you to the account "${account_name}" on Leadwire, as ${role}.`,
    'This link is good once, for seven days:',
    '',
    link,
    '',
  ].join('\n'),
});
