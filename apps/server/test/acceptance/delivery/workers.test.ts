import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  createTestDatabase,
  eventually,
  type Receiver,
  seed,
  startReceiver,
  startServer,
} from '../../support/index.ts';
import { startLoad } from '../../support/load.ts';
import { isLong } from '../../support/long.ts';
import { freePort } from '../../support/server.ts';

const LOAD = isLong ? { senders: 8, pauseMs: 2 } : { senders: 3, pauseMs: 15 };
const SOME = isLong ? 200 : 40;

const database = await createTestDatabase();
const key = seed().ours.full;
const start = async (role: string, port?: number) =>
  startServer({
    database,
    port: port ?? (await freePort()),
    env: { LEADWIRE_ROLE: role, LEADWIRE_ALLOW_PRIVATE_WEBHOOKS: 'on' },
  });
const [api, ...workers] = await Promise.all([start('api'), start('worker'), start('worker')]);
const receivers = await Promise.all([1, 2, 3, 4].map(() => startReceiver()));

async function drained(): Promise<void> {
  await eventually(
    async () => {
      const [row] = await database.query('SELECT count(*)::int AS waiting FROM deliveries');
      assert.equal(row.waiting, 0);
    },
    { deadlineMs: 20_000 },
  );
}

/** The external ids that arrived, each as often as it did. */
const arrived = ({ requests }: Receiver): string[] =>
  requests.map(({ json }) => json.data.lead.external_lead_id).sort();

describe('several workers', () => {
  after(async () => {
    await Promise.all([api, ...workers].map((server) => server.kill()));
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });

  it('send everything once, also where they are stopped and started under load', async () => {
    for (const { url } of receivers) {
      const body = { url, events: ['lead.created'] };
      assert.equal((await api.call('POST', '/api/v1/webhooks', { key, body })).status, 201);
    }
    const load = startLoad({ url: api.url, key, ...LOAD });
    const more = (count: number) => {
      const wanted = load.acknowledged.length + count;
      return eventually(() => assert.ok(load.acknowledged.length >= wanted));
    };
    await more(SOME);
    for (const [index, worker] of workers.entries()) {
      await worker.stop();
      await more(SOME);
      workers[index] = await start('worker', worker.port);
      await more(SOME);
    }
    await load.end();
    await drained();
    for (const receiver of receivers) {
      assert.deepEqual(arrived(receiver), load.acknowledged.toSorted());
    }
  });

  it('deliver what was written while none of them ran', async () => {
    const before = receivers.map(({ requests }) => requests.length);
    await Promise.all(workers.map((worker) => worker.stop()));
    const load = startLoad({ url: api.url, key, senders: 4 });
    await eventually(() => assert.ok(load.acknowledged.length >= 100));
    await load.end();
    assert.deepEqual(
      receivers.map(({ requests }) => requests.length),
      before,
      'an API process sends nothing',
    );
    workers[0] = await start('worker');
    await drained();
    for (const [index, receiver] of receivers.entries()) {
      const late = { ...receiver, requests: receiver.requests.slice(before[index]) };
      assert.deepEqual(arrived(late), load.acknowledged.toSorted());
    }
  });
});
