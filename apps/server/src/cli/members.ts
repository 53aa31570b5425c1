import { ROLES, type Role } from '@leadwire/contract/dashboard';
import { Command, InvalidArgumentError, Option } from 'commander';
import { createPeople } from '../modules/people/index.ts';
import { createRateLimits } from '../modules/rate-limits/index.ts';
import { createDestination, createLog } from '../platform/log/index.ts';
import { accountOption, jsonOption } from './arguments.ts';
import { type CommandContext, withStore } from './context.ts';
import { print, WHERE_LINKS_LEAD } from './print.ts';

export function membersCommand(): Command {
  const members = new Command('members').description('invite people to the dashboard');
  members
    .command('invite')
    .description('make a link to join an account with; it is good once, for seven days')
    .addOption(accountOption())
    .addOption(new Option('--role <role>', 'what they may do').choices(ROLES).makeOptionMandatory())
    .option('--email <address>', 'for this address alone; absent: for whoever has the link', email)
    .addOption(jsonOption())
    .action(invite);
  members
    .command('list')
    .description('who belongs to an account')
    .addOption(accountOption())
    .addOption(jsonOption())
    .action(list);
  members
    .command('reset-link')
    .description('make a link that sets a new password; it is good once, for one hour')
    .requiredOption('--email <address>', 'of the person', email)
    .addOption(jsonOption())
    .action(resetLink);
  members
    .command('end-second-factor')
    .description(
      'let a person who has lost their device and their backup codes in by password alone',
    )
    .requiredOption('--email <address>', 'of the person', email)
    .addOption(jsonOption())
    .action(endSecondFactor);
  return members;
}

type InviteOptions = { account: string; role: Role; email?: string; json?: boolean };

async function invite({ account, role, email, ...options }: InviteOptions): Promise<void> {
  const made = await withStore(async ({ accounts, config }) => {
    const { id } = await accounts.resolve(account);
    const invited = { accountId: id, role, email: email ?? null, invitedBy: null };
    const { invitation, token } = await accounts.invitations.create(invited);
    return {
      ...{ id: invitation.id, account_id: id, role, email: invitation.email },
      ...{ expires_at: invitation.expiresAt, link: `${config.publicUrl}/join#${token}` },
    };
  });
  const text = `${made.link}\nThe link is good once, until ${made.expires_at}. Whoever opens it joins as ${role}.\n${WHERE_LINKS_LEAD}`;
  print(options, made, text);
}

async function list({ account, ...options }: { account: string; json?: boolean }): Promise<void> {
  const data = await withStore(async (context) => {
    const { id } = await context.accounts.resolve(account);
    const members = await context.accounts.members.list(id);
    const named = await peopleOf(context).named(members.map(({ personId }) => personId));
    return members.map(({ personId, role, joinedAt }) => {
      const { name = '', email = '' } = named.get(personId) ?? {};
      return { id: personId, name, email, role, joined_at: joinedAt };
    });
  });
  const lines = data.map(({ name, email, role }) => `${role.padEnd(6)}  ${email}  ${name}`);
  const command = `npx leadwire members invite --account ${account} --role owner`;
  const none = `The account has no members. Make a link for its owner: ${command}`;
  print(options, { data }, lines.join('\n') || none);
}

async function resetLink({ email, ...options }: { email: string; json?: boolean }): Promise<void> {
  const link = await withStore((context) => peopleOf(context).passwords.makeResetLink(email));
  const text = `${link}\nThe link is good once, for one hour. Give it to the person.\n${WHERE_LINKS_LEAD}`;
  print(options, { link }, text);
}

async function endSecondFactor({
  email,
  ...options
}: {
  email: string;
  json?: boolean;
}): Promise<void> {
  await withStore((context) => peopleOf(context).endSecondFactorOf(email));
  print(options, { email, second_factor: false }, `${email} signs in by password alone now.`);
}

function peopleOf({ database, clock, newId, signInSecrets, config }: CommandContext) {
  const log = createLog({ level: 'silent', destination: createDestination() });
  return createPeople({
    ...{ database, clock, newId, log, secrets: signInSecrets, mailer: null },
    publicUrl: config.publicUrl,
    rateLimits: createRateLimits({ log }),
  });
}

function email(value: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(value) && value.length <= 320) return value.toLowerCase();
  throw new InvalidArgumentError('Write an email address.');
}
