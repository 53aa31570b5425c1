import { type Clock, formatMicros } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { noRoom } from './errors.ts';
import { dropKept, type KeptFile, lockKept } from './repository/room.ts';

/** Bytes of files that are kept for one account. */
export const KEPT_BYTES = 1024 * 1024 * 1024;
/** For so long a file that waits for its person makes no room. */
const WAITS_MICROS = 3_600_000_000;

/**
 * Makes room for a file among those of its account, so that uploads cannot fill the store: files of imports that are over go first, the
 * oldest before the others, then those that nobody has imported within an hour.
 * @throws AppError 409 where that is not enough
 */
export async function makeRoom(
  query: Database['query'],
  { accountId, bytes }: { accountId: string; bytes: number },
  clock: Clock,
): Promise<void> {
  const kept = await lockKept(query, accountId);
  let over = kept.reduce((sum, file) => sum + file.bytes, bytes) - KEPT_BYTES;
  const since = formatMicros(clock.nowMicros() - WAITS_MICROS);
  const gone: string[] = [];
  for (const file of [...kept.filter(isOver), ...kept.filter((one) => isLeft(one, since))]) {
    if (over <= 0) break;
    over -= file.bytes;
    gone.push(file.id);
  }
  if (over > 0) throw noRoom(KEPT_BYTES);
  if (gone.length > 0) await dropKept(query, accountId, gone);
}

const isOver = ({ state }: KeptFile): boolean => state === 'done' || state === 'failed';

const isLeft = ({ state, createdAt }: KeptFile, since: string): boolean =>
  (state === 'uploading' || state === 'ready' || state === 'checked') && createdAt < since;
