import { Command } from 'commander';
import { jsonOption, nameOption } from './arguments.ts';
import { withStore } from './context.ts';
import { print } from './print.ts';

export function accountsCommand(): Command {
  const accounts = new Command('accounts').description('make accounts');
  accounts
    .command('create')
    .description('make an account')
    .addOption(nameOption())
    .addOption(jsonOption())
    .action(async (options) => {
      const account = await withStore(({ accounts }) => accounts.create(options.name));
      print(options, account, `Account ${account.id} is made.`);
    });
  return accounts;
}
