import { Command } from 'commander';
import { jsonOption, nameOption } from './arguments.ts';
import { withStore } from './context.ts';
import { print, WHERE_LINKS_LEAD } from './print.ts';

export function accountsCommand(): Command {
  const accounts = new Command('accounts').description('make accounts');
  accounts
    .command('create')
    .description('make an account')
    .addOption(nameOption())
    .addOption(jsonOption())
    .action(async (options) => {
      const { account, link } = await withStore(async ({ accounts, config }) => {
        const account = await accounts.create(options.name);
        if (options.json) return { account };
        const owner = { accountId: account.id, role: 'owner' as const, email: null };
        const invited = { ...owner, invitedBy: null, forever: true };
        const { token } = await accounts.invitations.create(invited);
        return { account, link: `${config.publicUrl}/join#${token}` };
      });
      print(options, account, made(account.id, link));
    });
  return accounts;
}

const made = (id: string, link = ''): string =>
  [
    `Account ${id} is made. Its owner signs up with this link, which is good once:`,
    link,
    WHERE_LINKS_LEAD,
    `Another one is made with: npx leadwire members invite --account ${id} --role owner`,
  ].join('\n');
