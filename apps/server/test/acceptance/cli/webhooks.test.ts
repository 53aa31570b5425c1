import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import {
  cli,
  cliJson,
  createTestDatabase,
  eventually,
  type Json,
  seed,
  startReceiver,
  startServer,
} from '../../support/index.ts';

const WEBHOOKS = '/api/v1/webhooks';
const database = await createTestDatabase();
const { env } = database;
const server = await startServer({ database });
const receiver = await startReceiver();
const { ours, theirs } = seed();
const own = ['--account', ours.id];

after(async () => {
  await server.stop();
  await receiver.close();
});

async function register(fields: object = {}): Promise<Json> {
  const body = { url: receiver.url, events: ['lead.created', 'lead.updated'], ...fields };
  const answer = await server.call('POST', WEBHOOKS, { key: ours.full, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

/** Writes an event that happened long ago: of what happens now a replay waits for what commits late. @returns its id */
async function anHourAgo(type: string): Promise<string> {
  const time = (Date.now() - HOUR).toString(16).padStart(12, '0');
  const id = `${time}7${randomBytes(10).toString('hex').slice(1, 4)}8${randomBytes(8).toString('hex').slice(1)}`;
  await database.query(
    `INSERT INTO events (account_id, id, type, occurred_at, campaign)
     VALUES ($1, $2, $3, now() - interval '1 hour', '{"id":1}')`,
    [ours.id, id, type],
  );
  return `evt_${id}`;
}

const PAUSED = 'campaign.paused';
const HOUR = 3_600_000;
const at = (ms: number) => new Date(ms).toISOString();
/** All that has happened so far. */
const range = () => ['--from', at(Date.now() - 24 * HOUR), '--to', at(Date.now())];

describe('leadwire webhooks list', () => {
  it('prints every webhook of the account as the API shows it, without a secret', async () => {
    assert.deepEqual(await cliJson(['webhooks', 'list', ...own], env), { data: [] });
    const first = await register({ active: false });
    const second = await register({ events: ['campaign.paused'], active: false });
    const { stdout } = await cli(['webhooks', 'list', ...own, '--json'], env);
    const api = await server.call('GET', WEBHOOKS, { key: ours.full });
    assert.deepEqual(JSON.parse(stdout), { data: api.json.data });
    assert.deepEqual(
      api.json.data.map(({ id }: Json) => id),
      [second.id, first.id],
    );
    assert.doesNotMatch(stdout, /whsec_|secret/);
    assert.deepEqual(await cliJson(['webhooks', 'list', '--account', theirs.id], env), {
      data: [],
    });
  });

  it('prints a line for each to a person, with its state and its events', async () => {
    const { code, stdout, stderr } = await cli(['webhooks', 'list', ...own], env);
    assert.deepEqual([code, stderr], [0, '']);
    const lines = stdout.trimEnd().split('\n');
    assert.equal(lines.length, 2);
    assert.match(
      lines[1] as string,
      /^wh_[0-9a-f]{32} +inactive \(requested\) +http:\/\/\S+ +lead\.created,lead\.updated$/,
    );
    const none = await cli(['webhooks', 'list', '--account', theirs.id], env);
    assert.match(none.stdout, /no webhooks/);
  });
});

describe('leadwire webhooks replay', () => {
  it('sends the events of a time range again, of the webhook’s types or of those that are named', async () => {
    const [started, paused] = [await anHourAgo('campaign.started'), await anHourAgo(PAUSED)];
    const webhook = await register({ events: ['campaign.started', 'lead.created'] });
    const hours = ['--from', at(Date.now() - 2 * HOUR), '--to', at(Date.now() - HOUR / 2)];
    const replay = await cliJson(['webhooks', 'replay', ...own, webhook.id, ...hours], env);
    assert.match(replay.id, /^rpl_[0-9a-f]{32}$/);
    assert.equal(replay.webhook_id, webhook.id);
    assert.deepEqual(replay.events, ['campaign.started', 'lead.created']);
    assert.deepEqual(
      [at(Date.parse(replay.from)), at(Date.parse(replay.to))],
      [hours[1], hours[3]],
    );
    const [first] = await receiver.waitFor(1);
    assert.equal(first?.id, started);
    const path = `${WEBHOOKS}/${webhook.id}/replays/${replay.id}`;
    await eventually(async () => {
      const { json } = await server.call('GET', path, { key: ours.full });
      assert.deepEqual([json.id, json.state], [replay.id, 'done']);
      assert.deepEqual([json.progress.queued, json.progress.delivered], [1, 1]);
    });
    await cliJson(['webhooks', 'replay', ...own, webhook.id, ...hours, '--events', PAUSED], env);
    await receiver.waitFor(({ id }) => id === paused);
    assert.equal(receiver.requests.length, 2);
  });

  it('tells a person what was begun', async () => {
    const webhook = await register();
    const { code, stdout } = await cli(['webhooks', 'replay', ...own, webhook.id, ...range()], env);
    assert.equal(code, 0);
    assert.match(stdout, /^Replay rpl_[0-9a-f]{32} is begun: lead\.created, lead\.updated from /);
  });

  const refused = (args: string[], code: number, says: RegExp) => async () => {
    const result = await cli(['webhooks', ...args], env);
    assert.equal(result.code, code, result.stderr);
    assert.match(result.stderr, says);
    assert.doesNotMatch(result.stderr, /\n\s+at /);
    assert.equal(result.stdout, '');
  };
  const missing = `wh_${'0'.repeat(32)}`;
  const times = range();
  const backwards = ['--from', at(Date.now()), '--to', at(Date.now() - 24 * HOUR)];
  const future = ['--from', at(Date.now()), '--to', at(Date.now() + HOUR)];

  it(
    'refuses a webhook that is not there, with the exit code 1',
    refused(['replay', ...own, missing, ...times], 1, /no webhook wh_0/),
  );
  it(
    'refuses what is no webhook',
    refused(['replay', ...own, 'nope', ...times], 1, /no webhook nope/),
  );
  it('refuses an unknown account', refused(['list', '--account', 'acme'], 1, /acme/));
  it(
    'refuses a time that is none, with the exit code 2',
    refused(['replay', ...own, missing, '--from', 'x', '--to', 'y'], 2, /ISO 8601/),
  );
  it('refuses a missing time', refused(['replay', ...own, missing, '--from', at(0)], 2, /--to/));
  it(
    'refuses an unknown event',
    refused(['replay', ...own, missing, ...times, '--events', 'x'], 2, /"x" is no event/),
  );

  it('refuses a range that ends before it begins, or in the future', async () => {
    const webhook = await register();
    await refused(['replay', ...own, webhook.id, ...backwards], 1, /to must be later than from/)();
    await refused(['replay', ...own, webhook.id, ...future], 1, /to must not be in the future/)();
  });

  it('refuses a webhook that is inactive, and one of another account', async () => {
    const webhook = await register({ active: false });
    await refused(['replay', ...own, webhook.id, ...times], 1, /[Aa]ctivate/)();
    const theirsToo = ['replay', '--account', theirs.id, webhook.id, ...times];
    await refused(theirsToo, 1, /no webhook wh_/)();
  });
});
