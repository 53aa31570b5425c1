import { IMPORT_MAX_BYTES, IMPORT_PART_BYTES, type Import } from '@leadwire/contract/dashboard';
import { isPassing } from '../../api/errors.ts';
import { sizeText } from './words.ts';

/** How long to wait before a part is sent again; after the last of them the person is asked. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000];

/** Why a file cannot be imported, before any of it is sent; null where nothing speaks against it. */
export function refusalOf({ size }: { size: number }): string | null {
  if (size === 0) return 'This file is empty. Choose one that has a header row and leads.';
  if (size <= IMPORT_MAX_BYTES) return null;
  return `This file is larger than ${sizeText(IMPORT_MAX_BYTES)}, the most that can be imported at once. Split it, with the header row in each part.`;
}

type UploadDeps = {
  sendPart: (part: number, bytes: Blob) => Promise<Import>;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  onProgress: (sentBytes: number) => void;
  signal: AbortSignal;
};

/**
 * Sends a file part by part, beginning with part `from`. A part that does not arrive is sent again four times; a part that arrives
 * twice counts once, so that an answer that was lost does no harm.
 * @returns the import once its last part is there
 * @throws UploadStopped, with the part to go on from
 */
export async function uploadParts(file: Blob, from: number, deps: UploadDeps): Promise<Import> {
  const parts = Math.ceil(file.size / IMPORT_PART_BYTES);
  let answer: Import | undefined;
  for (let part = from; part < parts; part += 1) {
    const end = Math.min(file.size, (part + 1) * IMPORT_PART_BYTES);
    try {
      answer = await sendOne(part, file.slice(part * IMPORT_PART_BYTES, end), deps);
    } catch (error) {
      throw new UploadStopped(part, error);
    }
    deps.onProgress(end);
  }
  if (!answer) throw new RangeError(`there is no part ${from} of ${parts}`);
  return answer;
}

async function sendOne(part: number, bytes: Blob, deps: UploadDeps): Promise<Import> {
  for (const waitMs of WAITS_MS) {
    deps.signal.throwIfAborted();
    try {
      return await deps.sendPart(part, bytes);
    } catch (error) {
      if (!isPassing(error)) throw error;
      await deps.wait(waitMs, deps.signal);
    }
  }
  deps.signal.throwIfAborted();
  return deps.sendPart(part, bytes);
}

/** An upload that did not get to its end; `part` is the one to go on from. */
export class UploadStopped extends Error {
  readonly part: number;

  constructor(part: number, cause: unknown) {
    super('The file did not arrive', { cause });
    this.name = 'UploadStopped';
    this.part = part;
  }
}

export const waitOrAbort = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
