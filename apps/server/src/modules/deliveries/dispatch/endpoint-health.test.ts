import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createEndpointHealth, MAX_WINDOW, type StoredHealth } from './endpoint-health.ts';

const HEALTHY: StoredHealth = { failures: 0, failingSinceMs: null };
const DAY = 24 * 3_600_000;

function scene(stored: StoredHealth = HEALTHY) {
  const time = { ms: 1_000_000 };
  const now = () => time.ms;
  const health = createEndpointHealth({ ...stored, nowMs: now, wallMs: now, random: () => 0.5 });
  const mayStart = () => health.nextStartMs() <= time.ms;
  return { time, health, mayStart };
}

/** How many requests start within `ms`, each answered well and at once. */
function startsWithin({ time, health, mayStart }: ReturnType<typeof scene>, ms: number): number {
  let starts = 0;
  for (const end = time.ms + ms; time.ms < end; time.ms++) {
    while (mayStart() && starts < 1_000_000) {
      health.started();
      health.succeeded(1);
      starts++;
      if (health.nextStartMs() <= time.ms) break;
    }
  }
  return starts;
}

describe('the window of an endpoint', () => {
  test('grows with quick successes, up to its cap', () => {
    const { health } = scene();
    assert.ok(health.window() < MAX_WINDOW);
    for (let i = 0; i < 1000; i++) health.succeeded(5);
    assert.equal(health.window(), MAX_WINDOW);
  });

  test('shrinks to one request at a time where answers take long', () => {
    const { health } = scene();
    for (let i = 0; i < 100; i++) health.succeeded(14_000);
    assert.equal(health.window(), 1);
  });

  test('halves with each failure', () => {
    const { health } = scene();
    const before = health.window();
    health.failed();
    assert.equal(health.window(), before / 2);
  });
});

describe('an endpoint that failed five times in a row', () => {
  const failing = () => {
    const made = scene();
    for (let i = 0; i < 5; i++) made.health.failed();
    return made;
  };

  test('is probed: one request at a time, about every 15 seconds', () => {
    const { health, time, mayStart } = failing();
    assert.ok(health.isProbed());
    let probes = 0;
    for (let i = 0; i < 600; i++) {
      time.ms += 100;
      if (!mayStart()) continue;
      health.started();
      assert.ok(!mayStart(), 'one at a time');
      time.ms += 50;
      health.failed();
      probes++;
    }
    assert.ok(probes >= 2 && probes <= 6, `${probes} probes a minute`);
  });

  test('is not probed again while a probe hangs', () => {
    const { health, time, mayStart } = failing();
    time.ms += 20_000;
    health.started();
    time.ms += 3_600_000;
    assert.ok(!mayStart());
  });

  test('gets its backlog at a bounded pace when it is back, and freely later', () => {
    const made = failing();
    made.time.ms += 20_000;
    made.health.started();
    made.health.succeeded(5);
    assert.ok(!made.health.isProbed());
    const first = startsWithin(made, 1_000);
    assert.ok(first >= 10 && first <= 30, `${first} in the first second`);
    made.time.ms += 60_000;
    made.health.started();
    assert.ok(made.mayStart());
  });

  test('stays known as failing to the next holder of the lease', () => {
    const { health } = failing();
    assert.ok(scene(health.stored()).health.isProbed());
  });

  test('is tried at once after its webhook was changed', () => {
    const { health, mayStart } = failing();
    assert.ok(!mayStart());
    health.reset(HEALTHY);
    assert.ok(mayStart() && !health.isProbed());
  });
});

describe('five days', () => {
  test('of failures alone give an endpoint up, and not a moment less', () => {
    const { health, time } = scene();
    health.failed();
    time.ms += 5 * DAY - 1;
    health.failed();
    assert.ok(!health.isGivenUp());
    time.ms += 1;
    assert.ok(health.isGivenUp());
  });

  test('begin anew with a success', () => {
    const { health, time } = scene();
    health.failed();
    time.ms += 4 * DAY;
    health.succeeded(5);
    health.failed();
    time.ms += 4 * DAY;
    assert.ok(!health.isGivenUp());
  });

  test('are counted over restarts', () => {
    const first = scene();
    first.health.failed();
    const later = scene(first.health.stored());
    later.time.ms = first.time.ms + 5 * DAY;
    assert.ok(later.health.isGivenUp());
  });
});
