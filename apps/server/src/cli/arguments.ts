import { EVENT_TYPES, type EventType } from '@leadwire/contract';
import { InvalidArgumentError, Option } from 'commander';
import { normalizeTimestamp } from '../platform/clock/index.ts';

/** Options that several commands share, and readers of their values. */

export const jsonOption = () => new Option('--json', 'print one line of JSON');

export const accountOption = () =>
  new Option('--account <id|default>', 'the account').makeOptionMandatory();

export const nameOption = () => new Option('--name <name>').argParser(name).makeOptionMandatory();

export const eventsOption = () =>
  new Option('--events <types>', `comma-separated: ${EVENT_TYPES.join(', ')}`).argParser(events);

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

export function events(value: string): EventType[] {
  const types = [...new Set(value.split(',').map((type) => type.trim()))];
  const unknown = types.find((type) => !EVENT_TYPES.includes(type as EventType));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`"${unknown}" is no event. Events: ${EVENT_TYPES.join(', ')}.`);
  }
  return types as EventType[];
}

/** @returns the time in UTC with six decimals */
export function time(value: string): string {
  const normalized = normalizeTimestamp(value);
  if (normalized === null) {
    throw new InvalidArgumentError(
      'Write an ISO 8601 time with an offset, e.g. 2027-01-31T00:00:00Z.',
    );
  }
  return normalized;
}
