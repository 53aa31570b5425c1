import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IMPORT_MAX_BYTES, IMPORT_PART_BYTES, type Import } from '@leadwire/contract/dashboard';
import { ApiError } from '../../api/errors.ts';
import { createSaver, type Saving } from './saving.ts';
import { choiceOf, customName, samplesOf, targetOf, targetText } from './targets.ts';
import { refusalOf, UploadStopped, uploadParts, waitOrAbort } from './upload.ts';
import { reasonText, sizeText } from './words.ts';

const refused = (status: number) =>
  new ApiError({
    ...{ status, error: 'x', message: 'x', requestId: null, retryAfterSeconds: null },
  });

const FILE = new Blob([new Uint8Array(2 * IMPORT_PART_BYTES + 5)]);

/** Sends a file to a service that refuses as it is told; keeps what arrived. */
function sending(refusals: number[], from = 0) {
  const arrived: [part: number, bytes: number][] = [];
  const waits: number[] = [];
  const controller = new AbortController();
  const done = uploadParts(FILE, from, {
    signal: controller.signal,
    onProgress: () => undefined,
    wait: async (ms) => void waits.push(ms),
    sendPart: async (part, bytes) => {
      const status = refusals.shift();
      if (status !== undefined && status !== 200) throw refused(status);
      arrived.push([part, bytes.size]);
      return { id: `after ${part}` } as Import;
    },
  });
  return { done, arrived, waits, controller };
}

describe('an upload', () => {
  test('sends every byte once, in order, in parts of the size that is agreed', async () => {
    const { done, arrived, waits } = sending([]);
    assert.equal((await done).id, 'after 2');
    const sizes = [IMPORT_PART_BYTES, IMPORT_PART_BYTES, 5];
    assert.deepEqual(
      arrived,
      sizes.map((size, part) => [part, size]),
    );
    assert.deepEqual(waits, []);
  });

  test('sends a part again that did not arrive, each time a little later', async () => {
    const { done, arrived, waits } = sending([200, 503, 0, 429]);
    await done;
    assert.deepEqual(
      arrived.map(([part]) => part),
      [0, 1, 2],
    );
    assert.deepEqual(waits, [1_000, 2_000, 4_000]);
  });

  test('that fails for good names the part to go on from, and goes on there', async () => {
    const { done } = sending([200, 503, 503, 503, 503, 503]);
    const error = await done.catch((reason: UploadStopped) => reason);
    assert.ok(error instanceof UploadStopped);
    assert.equal(error.part, 1);
    const again = sending([], error.part);
    await again.done;
    assert.deepEqual(
      again.arrived.map(([part]) => part),
      [1, 2],
    );
  });

  test('is not tried again where the service has said no, and ends when it is stopped', async () => {
    const { done, waits } = sending([409]);
    await assert.rejects(done, UploadStopped);
    assert.deepEqual(waits, []);
    const controller = new AbortController();
    const waiting = waitOrAbort(60_000, controller.signal);
    controller.abort();
    await assert.rejects(waiting);
  });

  test('of an empty file, or of one that is too large, is refused before any of it is sent', () => {
    assert.match(refusalOf({ size: 0 }) ?? '', /empty/);
    assert.match(refusalOf({ size: IMPORT_MAX_BYTES + 1 }) ?? '', /larger than 100 MiB/);
    assert.equal(refusalOf({ size: IMPORT_MAX_BYTES }), null);
    assert.deepEqual([1, 1024, 20_000_000].map(sizeText), ['1 byte', '1.0 KiB', '19 MiB']);
  });
});

describe('settings that are stored as they are made', () => {
  type Values = { a: number; b: number };

  /** A saver whose requests are answered by hand. */
  function saving() {
    const sent: { changes: Partial<Values>; answer: (error?: Error) => void }[] = [];
    const states: Saving<Values>[] = [];
    const saver = createSaver<Values>({
      onState: (state) => void states.push(state),
      send: (changes) =>
        new Promise((resolve, reject) => {
          sent.push({ changes, answer: (error) => (error ? reject(error) : resolve()) });
        }),
    });
    const now = () => states.at(-1) as Saving<Values>;
    return { saver, sent, now };
  }

  test('go one request after the other, the last value last, and are shown meanwhile', async () => {
    const { saver, sent, now } = saving();
    saver.change({ a: 1 });
    saver.change({ a: 2 });
    saver.change({ b: 3 });
    assert.deepEqual(now(), { unsaved: { a: 2, b: 3 }, isSaving: true, error: null });
    assert.deepEqual(
      sent.map(({ changes }) => changes),
      [{ a: 1 }],
    );
    sent[0]?.answer();
    while (sent.length < 2) await null;
    assert.deepEqual(sent[1]?.changes, { a: 2, b: 3 });
    sent[1]?.answer();
    assert.equal(await saver.settled(), true);
    assert.deepEqual(now(), { unsaved: {}, isSaving: false, error: null });
  });

  test('that are refused stay on the page, and go along with the next change', async () => {
    const { saver, sent, now } = saving();
    saver.change({ a: 1 });
    sent[0]?.answer(refused(400));
    assert.equal(await saver.settled(), false);
    assert.deepEqual(now().unsaved, { a: 1 });
    assert.ok(now().error);
    saver.change({ b: 2 });
    assert.deepEqual(sent[1]?.changes, { a: 1, b: 2 });
    sent[1]?.answer();
    assert.equal(await saver.settled(), true);
  });
});

describe('a column', () => {
  test('goes to a field of the lead, to a custom field named after its header, or nowhere', () => {
    assert.equal(targetOf('phone', 'Telefon', 0), 'phone');
    assert.equal(targetOf('', 'Telefon', 0), null);
    assert.equal(targetOf('custom', ' Notes ', 0), 'custom_fields.Notes');
    assert.equal(targetOf('custom', '', 4), 'custom_fields.column_5');
    assert.equal(choiceOf('custom_fields.a.b'), 'custom');
    assert.equal(customName('custom_fields.a.b'), 'a.b');
    assert.deepEqual(['phone', null, 'custom_fields.x'].map(targetText), [
      'Phone',
      'Left out',
      'Custom field x',
    ]);
  });

  test('shows its first different values, and why a cell is bad without the name of the field', () => {
    const rows = [['', 'a'], ['x', 'a'], ['x', 'b'], ['y'], ['z'], ['w']];
    assert.deepEqual(samplesOf({ columns: [], warnings: [], rows }, 0), ['x', 'y', 'z']);
    assert.deepEqual(samplesOf({ columns: [], warnings: [], rows }, 1), ['a', 'b']);
    const reason = (field: string, message: string) => reasonText({ field, message });
    assert.equal(reason('phone', 'phone is no number'), 'Is no number');
    assert.equal(reason('', 'the row is short'), 'The row is short');
  });
});
