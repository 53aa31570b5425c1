import type { DateOrder } from '@leadwire/contract/dashboard';
import { DATE_ORDERS, IMPORT_ENCODINGS, type ImportEncoding } from '@leadwire/contract/dashboard';
import { Command, InvalidArgumentError, Option } from 'commander';
import { accountOption, campaignId, jsonOption } from './arguments.ts';
import { runImport } from './import/run.ts';

export type ImportOptions = {
  account: string;
  campaign: number;
  source?: string;
  map: [header: string, target: string | null][];
  encoding?: ImportEncoding;
  separator?: string;
  country?: string;
  dates?: DateOrder;
  timeZone?: string;
  dryRun?: boolean;
  result?: string;
  json?: boolean;
};

const SEPARATORS = [',', ';', '|', 'tab'];

export function importCommand(): Command {
  return new Command('import')
    .description('import leads from a CSV file; the same command again goes on where it stopped')
    .argument('<file>')
    .addOption(accountOption())
    .requiredOption('--campaign <id>', 'where the leads go', campaignId)
    .option('--source <name>', 'where the file comes from; absent: as remembered, else its name')
    .option(
      '--map <header=target>',
      'e.g. Mobil=phone, Note=custom_fields.note; Note= leaves it out',
      mapping,
      [],
    )
    .addOption(new Option('--encoding <encoding>', 'absent: as found').choices(IMPORT_ENCODINGS))
    .addOption(new Option('--separator <character>', 'absent: as found').choices(SEPARATORS))
    .option('--country <code>', 'of phone numbers without a plus sign, e.g. DE')
    .addOption(new Option('--dates <order>', 'of day, month and year').choices(DATE_ORDERS))
    .option('--time-zone <name>', 'of times without an offset, e.g. Europe/Berlin')
    .option('--dry-run', 'read every row and write nothing')
    .option('--result <file>', 'write what became of each row there, as CSV')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nEnds with 0 when it came to the end of the file, also where rows were bad: the summary names them.',
    )
    .action(runImport);
}

type Mapped = ImportOptions['map'];

function mapping(value: string, before: Mapped): Mapped {
  const at = value.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write Header=target, e.g. Mobil=phone.');
  return [...before, [value.slice(0, at), value.slice(at + 1) || null]];
}
