import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FeedAnswer } from './feed-client.ts';
import { follow } from './follow.ts';

const event = (id: string) => ({ id, type: 'lead.created', timestamp: '', text: '{}' });
const page = (cursor: string, ids: string[], hasMore = false): FeedAnswer => ({
  ...{ kind: 'page', events: ids.map(event), nextCursor: cursor, hasMore },
});
const trouble = (fields: object = {}): FeedAnswer => ({
  ...{ kind: 'trouble', isAway: true, waitMs: null, sentence: 'It is away.' },
  ...fields,
});

/** Follows a feed that answers as told and ends behind the last answer. */
async function followed(answers: FeedAnswer[], endsAfter = Number.POSITIVE_INFINITY) {
  const log: string[] = [];
  const places: object[] = [];
  const pauses: number[] = [];
  let waits = 0;
  const following = follow({
    from: 'now',
    async read(place) {
      places.push(place);
      return answers[places.length - 1] as FeedAnswer;
    },
    onStart: () => log.push('start'),
    async onEvent({ id }) {
      log.push(id);
    },
    onTrouble: (sentence) => log.push(sentence),
    async wait(ms) {
      if (ms > 0) pauses.push(ms);
      waits++;
      return places.length < answers.length && waits < endsAfter;
    },
  });
  return following.then(() => ({ log, places, pauses }));
}

describe('following the feed', () => {
  test('goes on from each cursor, at once while there is more and after half a second when there is not', async () => {
    const { log, places, pauses } = await followed([
      page('a', [], false),
      page('b', ['1', '2'], true),
      page('c', ['3'], false),
      page('d', []),
    ]);
    assert.deepEqual(log, ['start', '1', '2', '3']);
    assert.deepEqual(places, [{ from: 'now' }, { cursor: 'a' }, { cursor: 'b' }, { cursor: 'c' }]);
    assert.deepEqual(pauses, [500, 500, 500]);
  });

  test('waits as long as the server asks', async () => {
    const limited = trouble({ isAway: false, waitMs: 17_000 });
    const { pauses, places } = await followed([page('a', []), limited, page('b', [])]);
    assert.deepEqual(pauses, [500, 17_000, 500]);
    assert.deepEqual(places[2], { cursor: 'a' });
  });

  test('backs off from 1 to 30 seconds, says so, and begins anew after a success', async () => {
    const away = Array.from({ length: 7 }, () => trouble());
    const answers = [page('a', []), ...away, page('b', ['1']), trouble(), page('c', [])];
    const { pauses, log, places } = await followed(answers);
    const backoff = [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000];
    assert.deepEqual(pauses, [500, ...backoff, 500, 1000, 500]);
    assert.equal(log[1], 'It is away. Asking again in 1 s.');
    assert.ok(places.slice(1, 9).every((place) => 'cursor' in place && place.cursor === 'a'));
  });

  test('fails with a sentence where the server is away at the start', () =>
    assert.rejects(followed([trouble(), page('a', [])]), /It is away\. .*--url/));

  test('waits at the start too for a server that is there and in trouble', async () => {
    const { log } = await followed([trouble({ isAway: false }), page('a', []), page('b', [])]);
    assert.deepEqual(log, ['It is away. Asking again in 1 s.', 'start']);
  });

  test('ends between two events of a page, and says nothing of a request that was cut off', async () => {
    const early = await followed([page('a', ['1', '2', '3']), page('b', [])], 1);
    assert.deepEqual(early.log, ['start', '1']);
    const cut = await followed([trouble()]);
    assert.deepEqual(cut.log, []);
  });
});
