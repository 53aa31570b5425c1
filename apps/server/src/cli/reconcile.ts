import { PATCHABLE_FIELDS } from '@leadwire/contract';
import { Command, InvalidArgumentError, Option } from 'commander';
import { campaignId, jsonOption } from './arguments.ts';
import { addFileOptions, type FileOptions } from './import/options.ts';
import { runReconcile } from './reconcile/run.ts';
import { keyOption, urlOption } from './service-options.ts';

type Field = (typeof PATCHABLE_FIELDS)[number];

export type ReconcileOptions = FileOptions & {
  file: string;
  key: string;
  url: string;
  campaign?: number;
  fields?: Field[];
  output?: string;
  json?: boolean;
};

const HELP = `
Each row of the file is compared with the stored lead that has its campaign and external id, by the fields that columns go to;
an empty cell is a field without a value, custom_fields and address are compared as a whole. Without a column of external ids, rows
have those that an import of the file gave them.

Ends with 0 when all rows agree, 1 when some do not or cannot be read, 2 when the file could not be compared.`;

/** For a partner's developer: needs no store of its own, only the API of a service. */
export function reconcileCommand(): Command {
  const command = new Command('reconcile')
    .description('compare a CSV file of leads with those that are stored')
    .requiredOption('--file <file>', 'e.g. one that leadwire export has written')
    .addOption(keyOption('leads:read'))
    .addOption(urlOption())
    .option('--campaign <id>', 'of all rows; absent: as the column campaign_id says', campaignId);
  return addFileOptions(command)
    .addOption(
      new Option(
        '--fields <names>',
        'what to compare, comma-separated; absent: all that columns go to',
      ).argParser(fields),
    )
    .option('--output <file>', 'write the rows that do not agree there, as CSV')
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(runReconcile);
}

function fields(value: string): Field[] {
  const names = [...new Set(value.split(',').map((name) => name.trim()))];
  const unknown = names.find((name) => !PATCHABLE_FIELDS.includes(name as Field));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(
      `"${unknown}" is no field. Fields: ${PATCHABLE_FIELDS.join(', ')}.`,
    );
  }
  return names as Field[];
}
