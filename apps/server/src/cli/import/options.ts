import type { DateOrder, ImportEncoding } from '@leadwire/contract/dashboard';
import { DATE_ORDERS, IMPORT_ENCODINGS } from '@leadwire/contract/dashboard';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** How a file of leads is to be read; what is absent is found in the file. */
export type FileOptions = {
  map: [header: string, target: string | null][];
  encoding?: ImportEncoding;
  separator?: string;
  country?: string;
  dates?: DateOrder;
  timeZone?: string;
};

const SEPARATORS = [',', ';', '|', 'tab'];

/** Adds the options of FileOptions. */
export function addFileOptions(command: Command): Command {
  return command
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
    .option('--time-zone <name>', 'of times without an offset, e.g. Europe/Berlin');
}

function mapping(value: string, before: FileOptions['map']): FileOptions['map'] {
  const at = value.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write Header=target, e.g. Mobil=phone.');
  return [...before, [value.slice(0, at), value.slice(at + 1) || null]];
}
