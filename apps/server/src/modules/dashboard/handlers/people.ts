import type { Me, PeopleAnswers } from '@leadwire/contract/dashboard';
import type { Accounts } from '../../accounts/index.ts';
import type { People } from '../../people/index.ts';
import type { DashboardHandlers, Person } from '../request.ts';

type Deps = {
  people: People;
  accounts: Pick<Accounts, 'members' | 'invitations'>;
  /** Whether the service can send mail. */
  canMail: boolean;
};

const DONE = { done: true } as const;

/** Who a person is to the service: sessions, password, second factor, and how they come in. */
export function peopleHandlers(deps: Deps): DashboardHandlers<keyof PeopleAnswers> {
  return { ...signingIn(deps), ...joining(deps), ...ownPage(deps), ...secondFactor(deps) };
}

type Some<Names extends keyof PeopleAnswers> = DashboardHandlers<Names>;

function signingIn({
  people,
}: Deps): Some<
  'signIn' | 'verifySecondFactor' | 'signOut' | 'askPasswordReset' | 'finishPasswordReset'
> {
  return {
    async signIn({ body, setCookies, ...from }) {
      const { secondFactor, cookies } = await people.signIn(body, from);
      setCookies(cookies);
      return { second_factor: secondFactor };
    },

    async verifySecondFactor({ body, setCookies, ...from }) {
      setCookies((await people.verify(body.code, from)).cookies);
      return DONE;
    },

    async signOut({ setCookies, ...from }) {
      setCookies(await people.signOut(from));
      return DONE;
    },

    async askPasswordReset({ body, address }) {
      await people.passwords.askReset(body.email, address);
      return DONE;
    },

    async finishPasswordReset({ body: { token, password }, address }) {
      await people.withLink(token, address, () => people.passwords.finishReset(token, password));
      return DONE;
    },
  };
}

function joining({
  people,
  accounts: { invitations },
}: Deps): Some<'showInvitation' | 'joinAsNewPerson' | 'joinAsMe'> {
  return {
    async showInvitation({ body: { token }, address }) {
      const found = await people.withLink(token, address, () => invitations.show(token));
      const { accountName, role, email, expiresAt } = found;
      return { account_name: accountName, role, email, expires_at: expiresAt };
    },

    async joinAsNewPerson({ body, setCookies, ...from }) {
      const { token, ...person } = body;
      // Asked first: without a valid link nothing is told about addresses, and no hash is made.
      const show = () => invitations.show(token);
      const { email } = await people.withLink(token, from.address, show);
      let joined = { accountId: '' };
      const made = await people.register(
        person,
        { invited: email, link: token },
        async (query, one) => {
          joined = await invitations.accept(query, token, one);
        },
      );
      setCookies(await people.signInAs(made, from));
      return { account_id: joined.accountId };
    },

    async joinAsMe({ body, person }) {
      const { accountId } = await invitations.acceptAlone(body.token, person);
      return { account_id: accountId };
    },
  };
}

function ownPage({
  people,
  accounts,
  canMail,
}: Deps): Some<'getMe' | 'changeMe' | 'changePassword' | 'listSessions' | 'endSession'> {
  const meOf = async ({ id }: Person): Promise<Me> => {
    const [named, memberships] = await Promise.all([
      people.named([id]),
      accounts.members.membershipsOf(id),
    ]);
    const { name = '', email = '', second_factor = false } = named.get(id) ?? {};
    return { id, name, email, second_factor, mail: canMail, accounts: memberships };
  };

  return {
    async getMe({ person, setCookies, ...from }) {
      setCookies(await people.prolong(from));
      return meOf(person);
    },

    async changeMe({ person, body }) {
      await people.rename(person.id, body.name);
      return meOf(person);
    },

    async changePassword({ person, body, setCookies, ...from }) {
      const given = { current: body.current_password, next: body.new_password };
      setCookies(await people.passwords.change(person, given, from));
      return DONE;
    },

    async listSessions({ person }) {
      const sessions = await people.sessionsOf(person.id);
      return {
        sessions: sessions.map((one) => ({ ...one, current: one.id === person.sessionId })),
      };
    },

    async endSession({ person, params }) {
      await people.endSession(person.id, params.session);
      return DONE;
    },
  };
}

function secondFactor({
  people,
}: Deps): Some<'beginSecondFactor' | 'confirmSecondFactor' | 'endSecondFactor'> {
  return {
    async beginSecondFactor({ person, body, ...from }) {
      const begun = await people.secondFactor.begin(person.id, body.password, from);
      const { uri, secret, backupCodes, qr } = begun;
      return { uri, secret, backup_codes: backupCodes, qr };
    },

    async confirmSecondFactor({ person, body, setCookies, ...from }) {
      setCookies(await people.secondFactor.confirm(person.id, body.code, from));
      return DONE;
    },

    async endSecondFactor({ person, body, setCookies, ...from }) {
      setCookies(await people.secondFactor.end(person.id, body.password, from));
      return DONE;
    },
  };
}
