import type { FormLogEntry } from '@leadwire/contract/dashboard';
import { type Clock, formatMicros } from '../../../platform/clock/index.ts';
import { type Database, timestampToIso } from '../../../platform/database/index.ts';
import { isDeeperThan, parseJson } from '../../../platform/json/index.ts';
import { createRound } from '../../../platform/rounds/index.ts';
import { createWaiting } from '../../../platform/waiting/index.ts';
import { redact } from '../../refusals/index.ts';
import type { PublicForm, SubmissionNote } from './form.ts';
import * as repository from './repository/log.ts';

/** How many submissions of each form are kept. */
export const NOTES_KEPT = 100;
const MAX_WAITING = 5_000;
const WRITE_EVERY_MS = 1_000;
// A test lead as platforms send it has a kilobyte.
const MAX_TEST_BYTES = 16 * 1024;
const MAX_TEST_DEPTH = 32;

type Waiting = { form: PublicForm; note: SubmissionNote; atMs: number };

export type FormLogDeps = {
  database: Database;
  /** What is written goes here: it must not stand before the submissions themselves. */
  writes: Database;
  clock: Clock;
  newId: () => string;
  log: { warn(details: object, message: string): void };
};

/** Remembers what became of the newest hundred submissions of each form, without anything that they held but that of test leads. */
export function createFormLog({ database, writes, clock, newId, log }: FormLogDeps) {
  const waiting = createWaiting({
    ...{ perKey: NOTES_KEPT, max: MAX_WAITING },
    keyOf: ({ form }: Waiting) => form.id,
  });

  async function write(): Promise<void> {
    const { items, dropped } = waiting.take();
    if (dropped > 0) log.warn({ dropped }, 'more submissions came than the logs of forms can hold');
    if (items.length === 0) return;
    await repository.write(
      writes,
      items.map((item) => toStored(item, newId())),
      NOTES_KEPT,
    );
  }

  const round = createRound({ name: 'logs of forms', everyMs: WRITE_EVERY_MS, log }, write);
  round.start();

  return {
    note: (form: PublicForm, note: SubmissionNote): void =>
      waiting.add({ form, note, atMs: clock.nowMs() }),

    /** Newest first, at most a hundred; those of the last second may be missing. */
    async list(accountId: string, formId: string): Promise<FormLogEntry[]> {
      const rows = await repository.list(database, { accountId, formId, limit: NOTES_KEPT });
      return rows.map((row) => ({
        ...row,
        at: timestampToIso(row.at),
        fields: parseJson(row.fields) as FormLogEntry['fields'],
        test: row.test === null ? null : (parseJson(row.test) as Record<string, unknown>),
      }));
    },

    /** Writes what waits. */
    async close(): Promise<void> {
      await round.stop();
      await write().catch((error) =>
        log.warn({ err: error }, 'the last submissions are missing in the logs of forms'),
      );
    },
  };
}

function toStored({ form, note, atMs }: Waiting, id: string): repository.StoredNote {
  const { refusal } = note;
  const kept = refusal
    ? redact(
        {
          ...{ status: 400, code: refusal.code, message: refusal.message },
          // An AppError has errors where it is the summary of them.
          errors: refusal.fields.length > 0 ? refusal.fields : undefined,
        },
        new Set(form.fields.map(({ name }) => name)),
      )
    : null;
  return {
    ...{ accountId: form.accountId, formId: form.id, id, at: formatMicros(atMs * 1000) },
    ...{ via: note.via, outcome: note.outcome, lead_id: note.leadId ?? null },
    ...{ reason: kept?.reason ?? null, message: kept?.message ?? null },
    fields: JSON.stringify(kept?.fields ?? []),
    request_id: note.requestId,
    test: testOf(note),
  };
}

/** Null where it is too much: what the store cannot take would lose what it is written with, of whatever account. */
function testOf({ test }: SubmissionNote): string | null {
  if (!test || isDeeperThan(test, MAX_TEST_DEPTH)) return null;
  const json = JSON.stringify(test);
  return Buffer.byteLength(json) <= MAX_TEST_BYTES ? json : null;
}
