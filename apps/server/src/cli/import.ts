import { Command } from 'commander';
import { accountOption, campaignId, jsonOption } from './arguments.ts';
import { addFileOptions, type FileOptions } from './import/options.ts';
import { runImport } from './import/run.ts';

export type ImportOptions = FileOptions & {
  account: string;
  campaign: number;
  source?: string;
  dryRun?: boolean;
  result?: string;
  json?: boolean;
};

export function importCommand(): Command {
  const command = new Command('import')
    .description('import leads from a CSV file; the same command again goes on where it stopped')
    .argument('<file>')
    .addOption(accountOption())
    .requiredOption('--campaign <id>', 'where the leads go', campaignId)
    .option('--source <name>', 'where the file comes from; absent: as remembered, else its name');
  return addFileOptions(command)
    .option('--dry-run', 'read every row and write nothing')
    .option('--result <file>', 'write what became of each row there, as CSV')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nEnds with 0 when it came to the end of the file, also where rows were bad: the summary names them.',
    )
    .action(runImport);
}
