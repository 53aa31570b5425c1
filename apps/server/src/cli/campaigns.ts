import { Command } from 'commander';
import { accountOption, campaignId, jsonOption, nameOption } from './arguments.ts';
import { withStore } from './context.ts';
import { print } from './print.ts';

export function campaignsCommand(): Command {
  const campaigns = new Command('campaigns').description('make, start and pause campaigns');
  campaigns
    .command('create')
    .description('make a campaign in state draft')
    .addOption(accountOption())
    .addOption(nameOption())
    .addOption(jsonOption())
    .action(async (options) => {
      const campaign = await withStore(async ({ accounts, campaigns }) => {
        const account = await accounts.resolve(options.account);
        const { id, account_id } = await campaigns.create(account.id, options.name);
        return { id, account_id };
      });
      print(options, campaign, `Campaign ${campaign.id} is made.`);
    });
  addStateCommand(campaigns, 'start', 'active');
  addStateCommand(campaigns, 'pause', 'paused');
  return campaigns;
}

function addStateCommand(campaigns: Command, verb: string, state: 'active' | 'paused'): void {
  campaigns
    .command(verb)
    .description(`${verb} a campaign; partners are told by an event`)
    .argument('<campaign>', 'its id', campaignId)
    .addOption(accountOption())
    .addOption(jsonOption())
    .action(async (id: number, options) => {
      const result = await withStore(async ({ accounts, campaigns }) => {
        const account = await accounts.resolve(options.account);
        const { changed } = await campaigns.setState(account.id, id, state);
        return { id, account_id: account.id, state, changed };
      });
      const done = result.changed
        ? `Campaign ${id} is ${state} now.`
        : `Campaign ${id} was ${state} already.`;
      print(options, result, done);
    });
}
