import { InvalidArgumentError, Option } from 'commander';

/** Options that several commands share, and readers of their values. */

export const jsonOption = () => new Option('--json', 'print one line of JSON');

export const accountOption = () =>
  new Option('--account <id|default>', 'the account').makeOptionMandatory();

export const nameOption = () => new Option('--name <name>').argParser(name).makeOptionMandatory();

export function name(value: string): string {
  const text = value.trim();
  if (text === '' || text.length > 255 || /\p{Cc}/u.test(text) || !text.isWellFormed()) {
    throw new InvalidArgumentError('A name has 1 to 255 characters and no control characters.');
  }
  return text;
}

export function campaignId(value: string): number {
  const id = Number(value);
  if (!/^\d{1,10}$/.test(value) || id < 1 || id > 2_147_483_647) {
    throw new InvalidArgumentError('A campaign is an integer from 1.');
  }
  return id;
}
