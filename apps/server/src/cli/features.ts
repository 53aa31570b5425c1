import { FEATURES, type Feature } from '@leadwire/contract';
import { Command, InvalidArgumentError } from 'commander';
import { accountOption, jsonOption } from './arguments.ts';
import { withStore } from './context.ts';
import { print } from './print.ts';

export function featuresCommand(): Command {
  const features = new Command('features').description('switch endpoints on and off');
  features
    .command('set')
    .description('switch a feature of one account; off means 404')
    .argument('<feature=on|off>', FEATURES.join(', '), assignment)
    .addOption(accountOption())
    .addOption(jsonOption())
    .action(async ({ feature, on }: Assignment, options) => {
      const account = await withStore(async ({ accounts }) => {
        const account = await accounts.resolve(options.account);
        await accounts.setFeature(account.id, feature, on);
        return account;
      });
      const state = on ? 'on' : 'off';
      print(options, { account_id: account.id, [feature]: state }, `${feature} is ${state}.`);
    });
  return features;
}

type Assignment = { feature: Feature; on: boolean };

function assignment(value: string): Assignment {
  const [, feature, state] = /^(\w+)=(on|off)$/.exec(value) ?? [];
  if (!FEATURES.includes(feature as Feature)) {
    throw new InvalidArgumentError(
      `Write feature=on or feature=off. Features: ${FEATURES.join(', ')}.`,
    );
  }
  return { feature: feature as Feature, on: state === 'on' };
}
