import { Command } from 'commander';
import { jsonOption } from './arguments.ts';
import { withStore } from './context.ts';
import { print } from './print.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the schema up to date')
    .addOption(jsonOption())
    .action(async (options) => {
      const applied = await withStore(async (context) => context.appliedMigrations);
      const text =
        applied.length > 0 ? `Applied: ${applied.join(', ')}.` : 'The schema is up to date.';
      print(options, { applied }, text);
    });
}
