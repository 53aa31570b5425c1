import { ConfigError } from '../../platform/config/index.ts';
import type { FeedAnswer, FeedClient, FeedEvent } from './feed-client.ts';

type Deps = {
  read: FeedClient;
  from: string;
  /** Told once, when the first page is there. */
  onStart: () => void;
  onEvent: (event: FeedEvent) => Promise<void>;
  onTrouble: (sentence: string) => void;
  /** Resolves early, to false, where the person wants to end. */
  wait: (ms: number) => Promise<boolean>;
};

const POLL_MS = 500;
// Rules for clients, contract section 6; but a developer's tool never gives up.
const BACKOFF_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

/**
 * Reads the feed until the person ends it, one event after the other. @throws ConfigError where the server is away at
 * the start; later it is waited for.
 */
export async function follow(deps: Deps): Promise<void> {
  let place: { cursor: string } | { from: string } = { from: deps.from };
  let failures = 0;
  for (let goesOn = true; goesOn; ) {
    const answer = await deps.read(place);
    if (answer.kind === 'trouble') {
      // A request that Ctrl-C cut off is no trouble.
      if (!(await deps.wait(0))) return;
      if (answer.isAway && 'from' in place) throw new ConfigError(`${answer.sentence} ${WHERE}`);
      const delayMs = delayOf(answer, failures++);
      deps.onTrouble(`${answer.sentence} Asking again in ${delayMs / 1000} s.`);
      goesOn = await deps.wait(delayMs);
      continue;
    }
    failures = 0;
    if ('from' in place) deps.onStart();
    for (const event of answer.events) {
      await deps.onEvent(event);
      // Between events too, so that Ctrl-C need not wait for a whole page.
      if (!(await deps.wait(0))) return;
    }
    place = { cursor: answer.nextCursor };
    goesOn = await deps.wait(answer.hasMore ? 0 : POLL_MS);
  }
}

const WHERE = 'Start it with npm start, or say where it is with --url.';

const delayOf = ({ waitMs }: FeedAnswer & { kind: 'trouble' }, failures: number): number =>
  Math.max(1, waitMs ?? BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 0);
