import { PassThrough, type Readable } from 'node:stream';
import { AppError, unavailable } from '../../platform/errors/index.ts';
import { createPolls, type ExtentOf } from './polls.ts';

type Deps = {
  /** A number by metric that rises with every change of its figures. */
  extentOf: ExtentOf;
  log: { warn(details: object, message: string): void };
  times?: { pollMs: number; checkMs: number; heartbeatMs: number };
};

export type WatchRequest = {
  person: { id: string };
  accountId: string;
  /** Whether session, membership and role still are what they must be. */
  stillMay(): Promise<boolean>;
};

const TIMES = { pollMs: 1_000, checkMs: 5_000, heartbeatMs: 15_000 };
const STREAMS_A_PERSON = 20;
// What a reader may be behind: events are small, so that this is hundreds of them.
const BUFFER_BYTES = 16 * 1024;

export type Live = ReturnType<typeof createLive>;

/**
 * Streams that say when figures of an account have changed, as server-sent events (HTML standard, section 9.2): `ready` when
 * changes are watched for, `changed` with `{ "what": ["leads", "requests", "deliveries"] }`, or some of them, at most once in
 * `pollMs`. They say that, not what: whoever hears it asks for what they show.
 */
export function createLive({ extentOf, log, times = TIMES }: Deps) {
  const polls = createPolls({ extentOf, log, everyMs: times.pollMs });
  const ofPerson = new Map<string, number>();
  const open = new Set<PassThrough>();
  let isClosed = false;

  function countPerson(id: string, by: 1 | -1) {
    const count = (ofPerson.get(id) ?? 0) + by;
    if (count > 0) ofPerson.set(id, count);
    else ofPerson.delete(id);
  }

  return {
    /**
     * A stream that ends when `stillMay` does not hold any more, looked at every `checkMs`, and when the service stops; it is
     * cut where its reader is too slow. @throws AppError 429 for a person with too many of them, 503 while stopping
     */
    watch({ person, accountId, stillMay }: WatchRequest): Readable {
      if (isClosed) throw unavailable();
      if ((ofPerson.get(person.id) ?? 0) >= STREAMS_A_PERSON) throw tooManyStreams();
      const stream = new PassThrough({ highWaterMark: BUFFER_BYTES });
      const send = (text: string) => {
        if (!stream.writable) return;
        // It does not wait for a reader: what it would keep for one, it would have to keep for all.
        if (!stream.write(text)) stream.destroy();
      };
      countPerson(person.id, 1);
      open.add(stream);
      send('retry: 2000\n\n');
      const leave = polls.join(accountId, (event) => send(textOf(event)));
      const heartbeat = setInterval(() => send(':\n\n'), times.heartbeatMs).unref();
      const stopChecking = repeat(times.checkMs, async () => {
        if (!(await stillMay().catch(() => false))) stream.end();
      });
      stream.once('close', () => {
        for (const stop of [leave, stopChecking]) stop();
        clearInterval(heartbeat);
        open.delete(stream);
        countPerson(person.id, -1);
      });
      return stream;
    },
    /** Ends all streams; there are no new ones. */
    close(): void {
      isClosed = true;
      for (const stream of open) stream.end();
      polls.close();
    },
  };
}

const textOf = ({ name, data }: { name: string; data: object }) =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Runs `work`, which must not reject, again and again, `everyMs` after its end. @returns what stops it */
function repeat(everyMs: number, work: () => Promise<void>): () => void {
  let isStopped = false;
  let timer: NodeJS.Timeout;
  const wait = () => {
    timer = setTimeout(() => void work().then(() => isStopped || wait()), everyMs).unref();
  };
  wait();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

const tooManyStreams = () =>
  new AppError({
    status: 429,
    code: 'too_many_streams',
    message: `A person may watch ${STREAMS_A_PERSON} pages at a time. Close some of them.`,
    headers: { 'retry-after': '5' },
  });
