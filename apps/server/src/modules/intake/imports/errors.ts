import { IMPORT_MAX_BYTES } from '@leadwire/contract/dashboard';
import { conflict, type FieldError, invalid } from '../../../platform/errors/index.ts';

/** Why a file cannot be read, as its import shows it. */
export type Failure = { code: string; message: string };

/** Thrown where reading a file comes to a place that it cannot get past. */
export class UnreadableFile extends Error {
  readonly failure: Failure;
  /** Where it cannot be read any further; null where that is no line. */
  readonly line: number | null;
  constructor(failure: Failure, line: number | null = null) {
    super(failure.message);
    this.failure = failure;
    this.line = line;
  }
}

export const EMPTY_FILE: Failure = {
  code: 'empty_file',
  message: 'The file is empty. Choose one with a header row and at least one row below it.',
};

const one = (path: string, code: string, message: string): FieldError => ({ path, code, message });

export const fileTooLarge = () =>
  invalid([
    one(
      'bytes',
      'too_large',
      `bytes must be at most ${IMPORT_MAX_BYTES} (${IMPORT_MAX_BYTES / 1024 / 1024} MiB): split the file, each part with the header row`,
    ),
  ]);

export const noRoom = (bytes: number) =>
  conflict(
    `At most ${bytes / 1024 ** 3} GiB of files that are not imported yet are kept for an account. Import those that wait; what nobody imports within an hour makes room.`,
  );

export const wrongPart = (message: string) => invalid([one('part', 'range', message)]);

export const missingSetting = (path: string, message: string): FieldError =>
  one(path, 'required', message);

export const badSetting = one;

export const notNow = (doing: string, state: string) =>
  conflict(`An import that is ${state} cannot be ${doing}. Look at it again.`);
