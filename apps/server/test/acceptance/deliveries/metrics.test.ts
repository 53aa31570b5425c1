import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually } from '../../support/index.ts';
import { startScene } from '../delivery/scene.ts';

const scene = await startScene();
const [healthy, broken] = [await scene.receiver(), await scene.receiver({ respond: 500 })];
after(() => scene.close());

/** The samples of GET /metrics by name and labels as printed. */
async function samples(): Promise<Map<string, number>> {
  const { text } = await scene.server().call('GET', '/metrics');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

const attempts = (outcome: string, error: string) =>
  `leadwire_delivery_attempts_total{outcome="${outcome}",error="${error}"}`;

/** What /metrics shows is what is expected, at last: the gauges of the store are looked up every few seconds. */
async function assertSamples(expect: () => Promise<Record<string, number>>): Promise<void> {
  await eventually(
    async () => {
      const [expected, all] = [await expect(), await samples()];
      const seen = Object.keys(expected).map((name) => [name, all.get(name) ?? 0]);
      assert.deepEqual(Object.fromEntries(seen), expected);
    },
    { deadlineMs: 20_000 },
  );
}

/** The attempts that were logged, as /metrics names them. */
async function loggedAttempts(): Promise<Record<string, number>> {
  const rows = await scene.database.query<{ outcome: string; error: string; count: number }>(
    `SELECT outcome, coalesce(error, '') AS error, count(*)::int FROM delivery_attempts GROUP BY 1, 2`,
  );
  return Object.fromEntries(rows.map((row) => [attempts(row.outcome, row.error), row.count]));
}

describe('GET /metrics of a worker', () => {
  it('counts attempts by outcome and error, and measures the first delay and the endpoint', async () => {
    await scene.webhook(healthy.url);
    await scene.webhook(broken.url);
    await scene.webhook('http://127.0.0.1:9/');
    await scene.leads(3);
    await assertSamples(async () => {
      const logged = await loggedAttempts();
      assert.deepEqual(Object.keys(logged).toSorted(), [
        attempts('failed', 'connection_failed'),
        attempts('failed', 'status'),
        attempts('succeeded', ''),
      ]);
      return {
        ...logged,
        [attempts('succeeded', '')]: 3,
        leadwire_delivery_first_attempt_delay_seconds_count: 9,
        leadwire_delivery_endpoint_duration_seconds_count: Object.values(logged).reduce(
          (sum, count) => sum + count,
        ),
        leadwire_deliveries_waiting: 6,
        leadwire_webhooks_failing: 2,
        leadwire_deliveries_in_flight: 0,
      };
    });
    const all = await samples();
    assert.ok((all.get('leadwire_delivery_first_attempt_delay_seconds_sum') ?? 0) > 0);
    assert.ok((all.get('leadwire_delivery_endpoint_duration_seconds_sum') ?? 0) > 0);
  });

  it('counts a second attempt as no first one, and the last of ten as given up', async () => {
    const before = await samples();
    const name = 'leadwire_delivery_first_attempt_delay_seconds_count';
    await scene.database.query(
      `UPDATE deliveries SET attempts = 9, due_at = now() - interval '1 second'`,
    );
    // An endpoint that fails is asked rarely: both are told that they are new.
    await scene.database.query('UPDATE webhook_queues SET failures = 0, failing_since = NULL');
    await eventually(
      async () => {
        const all = await samples();
        const givenUp =
          (all.get(attempts('given_up', 'status')) ?? 0) +
          (all.get(attempts('given_up', 'connection_failed')) ?? 0);
        assert.ok(givenUp >= 2);
      },
      { deadlineMs: 20_000 },
    );
    assert.equal((await samples()).get(name), before.get(name));
  });

  it('tells for how long the oldest delivery that is due has waited', async () => {
    const hanging = await scene.receiver({ respond: 'hang' });
    const hook = await scene.webhook(hanging.url);
    await scene.leads(1);
    await hanging.waitFor(1);
    await scene.database.query(
      `UPDATE deliveries SET due_at = now() - interval '1 hour' WHERE webhook_id = $1`,
      [hook.uuid],
    );
    await eventually(
      async () => {
        const age = (await samples()).get('leadwire_deliveries_due_oldest_age_seconds') ?? 0;
        assert.ok(age >= 3_600 && age < 3_700, `${age} s`);
      },
      { deadlineMs: 12_000 },
    );
  });

  it('has no label that tells of an endpoint, an account, a lead or an event', async () => {
    const names = [...(await samples()).keys()].filter((name) => name.includes('deliver'));
    assert.ok(names.length > 30);
    const labels = new Set(names.flatMap((name) => name.match(/\w+(?==")/g) ?? []));
    assert.deepEqual([...labels].toSorted(), ['error', 'le', 'outcome']);
    for (const name of names) assert.doesNotMatch(name, /127\.0\.0\.1|wh_|evt_|[0-9a-f]{32}|:9/);
  });
});
