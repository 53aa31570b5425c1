import { ReplayInput } from '@leadwire/contract';
import { normalizeTimestamp } from '../../../platform/clock/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import { createValidator } from '../../../platform/validation/index.ts';

const validate = createValidator(ReplayInput);

/** Times in UTC with six decimals. */
export type ReplayRange = { from: string; to: string; events: string[] | undefined };

/**
 * Checks the body of a replay. @param now ISO 8601 in UTC with six decimals
 * @throws AppError 400 with the summary of what is wrong
 */
export function readReplayInput(body: unknown, now: string): ReplayRange {
  const errors = validate(body);
  if (errors.length > 0) throw invalid(errors);
  const input = body as ReplayInput;
  const from = normalizeTimestamp(input.from) as string;
  const to = normalizeTimestamp(input.to) as string;
  const refuse = (message: string) => invalid([{ path: 'to', code: 'range', message }]);
  if (from >= to) throw refuse('to must be later than from');
  if (to > now) throw refuse('to must not be in the future');
  return { from, to, events: input.events };
}
