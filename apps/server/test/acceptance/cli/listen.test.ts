import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { childEnvironment, entry } from '../../support/cli.ts';
import {
  cli,
  createKey,
  createTestDatabase,
  eventually,
  type Json,
  type Received,
  type SeededKey,
  seed,
  startReceiver,
  startServer,
} from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { freePort } from '../../support/server.ts';

const database = await createTestDatabase();
const { ours } = seed();
let server = await startServer({ database });
const { port } = server;
const home = await mkdtemp(join(tmpdir(), 'leadwire-listen-'));
const listeners = new Set<ChildProcess>();

after(async () => {
  await server.stop();
  await rm(home, { recursive: true, force: true });
});
afterEach(() => {
  for (const child of listeners) child.kill('SIGKILL');
});

/** `leadwire listen` as a process in an empty directory, with nothing but the key in its environment. */
async function listen(args: string[] = [], key: SeededKey = ours.reader) {
  const env = childEnvironment({ LEADWIRE_KEY: key.secret_key });
  const child = spawn(process.execPath, [entry(), 'listen', '--url', server.url, ...args], {
    ...{ env, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  listeners.add(child);
  const exited = once(child, 'exit').finally(() => listeners.delete(child));
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text) => {
      output[name] += text;
    });
  }
  const lines = () => output.stdout.split('\n').slice(0, -1);
  await eventually(() => assert.ok(lines().length > 0, output.stderr));
  return {
    ...{ output, lines },
    json: (): Json[] => lines().map((line) => JSON.parse(line)),
    /** Lines but the greeting, once there are so many. */
    events: (count: number): Promise<string[]> =>
      eventually(() => {
        const shown = lines().filter((line) => line.includes('evt_'));
        assert.equal(shown.length, count, output.stdout + output.stderr);
        return shown;
      }),
    async end(signal: NodeJS.Signals = 'SIGINT') {
      child.kill(signal);
      const [code] = await exited;
      return { code, ...output };
    },
  };
}

async function post(fields: Record<string, unknown> = {}): Promise<Json> {
  const body = newLead(fields);
  const answer = await server.call('POST', '/api/v1/insertion/leads', { key: ours.full, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.json.lead;
}

const standardHeaders = ({ id, timestamp, signature }: Received) => ({
  ...{ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
});

describe('leadwire listen', () => {
  it('forwards events as they happen, signed so that public libraries accept it, and ends with 0 on Ctrl-C', async () => {
    await post();
    const program = await startReceiver();
    const listener = await listen(['--forward-to', program.url]);
    const secret = /whsec_\S+/.exec(listener.output.stdout)?.[0] ?? assert.fail('no secret');
    const lead = await post({ status: 'converted', custom_fields: { kwh: 1.5, text: 'é"\\' } });
    const received = await program.waitFor(2);
    for (const request of received) {
      new Webhook(secret).verify(request.body, standardHeaders(request));
      new SvixWebhook(secret).verify(request.body, standardHeaders(request));
      assert.equal(request.id, request.json.id);
      assert.equal(request.method, 'POST');
      assert.equal(request.headers['content-type'], 'application/json');
      assert.equal(request.headers['user-agent'], 'Leadwire');
      assert.deepEqual(request.json.data.lead, lead);
    }
    assert.deepEqual(
      received.map(({ type }) => type),
      ['lead.created', 'lead.converted'],
    );
    const feed = await server.call('GET', '/api/v1/events?limit=100', { key: ours.full });
    for (const { body } of received) assert.ok(feed.text.includes(body), 'not byte for byte');
    const [line = ''] = await listener.events(2);
    assert.match(
      line,
      /^\d\d:\d\d:\d\d\.\d{3}Z {2}lead\.created +evt_[0-9a-f]{32} {2}204 in \d+ ms$/,
    );
    assert.ok(line.includes(received[0]?.id as string));
    const { code, stderr } = await listener.end();
    assert.deepEqual([code, stderr], [0, '']);
    await program.close();
  });

  it('needs no store: it leaves nothing in the directory it runs in', async () => {
    assert.deepEqual(await readdir(home), []);
  });

  it('without --forward-to only prints, with --from start from the oldest event, and ends with 0 on SIGTERM', async () => {
    const listener = await listen(['--from', 'start']);
    const lines = await listener.events(3);
    assert.match(lines[0] as string, /lead\.created +evt_[0-9a-f]{32}$/);
    assert.doesNotMatch(listener.output.stdout, /whsec_/);
    assert.equal((await listener.end('SIGTERM')).code, 0);
  });

  it('with --json prints what it does as lines of JSON: the secret, each event as it is and its answer', async () => {
    const program = await startReceiver({ respond: 500 });
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const types = ['--events', 'lead.converted,campaign.started'];
    const args = ['--json', '--from', 'start', '--secret', secret, ...types];
    const listener = await listen([...args, '--forward-to', program.url]);
    await listener.events(1);
    const [greeting, line] = listener.json();
    assert.deepEqual(greeting, {
      ...{ listening_to: server.url, from: 'start', forward_to: program.url, secret },
    });
    assert.equal(line.event.type, 'lead.converted');
    const { duration_ms, ...forward } = line.forward;
    assert.deepEqual(forward, { status: 500, error: 'status', attempts: 1 });
    const [request] = await program.waitFor(1);
    new Webhook(secret).verify(request?.body as string, standardHeaders(request as Received));
    await listener.end();
    await program.close();
  });

  it('says that the local program is down, tries again, and goes on when it is there', async () => {
    const free = await freePort();
    const listener = await listen(['--forward-to', `http://localhost:${free}/hook`]);
    const first = await post();
    await eventually(() => assert.match(listener.output.stderr, /does not answer .*again in 1 s/));
    const second = await post();
    const program = await startReceiver({ port: free });
    const received = await program.waitFor(2);
    assert.deepEqual(
      received.map(({ json }) => json.data.lead.id),
      [first.id, second.id],
    );
    for (const line of await listener.events(2)) assert.match(line, /204 in/);
    await listener.end();
    await program.close();
  });

  it('waits for a server that goes away, and then misses no event', async () => {
    const listener = await listen();
    const before = await post();
    await listener.events(1);
    await server.kill();
    await eventually(() =>
      assert.match(listener.output.stderr, /cannot be reached .*Asking again/),
    );
    server = await startServer({ database, port });
    const afterwards = await post();
    const lines = await listener.events(2);
    const feed = await server.call('GET', '/api/v1/events?limit=100', { key: ours.full });
    const ids = feed.json.data.slice(-2).map(({ id }: Json) => id);
    assert.deepEqual(
      feed.json.data.slice(-2).map(({ data }: Json) => data.lead.id),
      [before.id, afterwards.id],
    );
    assert.deepEqual(
      lines.map((line) => /evt_\w+/.exec(line)?.[0]),
      ids,
    );
    await listener.end();
  });

  it('keeps to the rate limit of its key, and then misses no event', async () => {
    const key = await createKey(database.env, ours.id, { rateLimit: '2/2' });
    const listener = await listen([], key);
    await eventually(() => assert.match(listener.output.stderr, /rate limit .* again in [12] s/));
    await post();
    await listener.events(1);
    assert.equal((await listener.end()).code, 0);
  });
});

describe('leadwire listen refuses', { concurrency: 3 }, () => {
  const run = (args: string[]) => cli(['listen', '--url', server.url, ...args]);
  const key = (one: SeededKey) => ['--key', one.secret_key];
  const good = () => key(ours.reader);
  const unknown = `lwsk_${'a'.repeat(43)}`;

  const mistakes: [name: string, args: () => string[], code: number, says: RegExp][] = [
    ['a missing key', () => [], 2, /--key/],
    ['a public key', () => ['--key', ours.full.public_key], 2, /secret key.*lwsk_/],
    ['a key that is not known', () => ['--key', unknown], 1, /does not accept the key/],
    ['a key without leads:read', () => key(ours.writer), 1, /needs the scope leads:read/],
    ['a relative --forward-to', () => [...good(), '--forward-to', '/hook'], 2, /absolute http/],
    ['another scheme', () => [...good(), '--forward-to', 'ftp://x/y'], 2, /http or https/],
    ['an unknown event', () => [...good(), '--events', 'lead.created,x'], 2, /"x" is no event/],
    ['an unknown place', () => [...good(), '--from', 'yesterday'], 2, /now, start/],
    ['a bad secret', () => [...good(), '--secret', 'whsec_short'], 2, /whsec_/],
    ['a server that is away', () => [...good(), '--url', 'http://127.0.0.1:9'], 1, /--url/],
    ['a bad --url', () => [...good(), '--url', 'nowhere'], 2, /http/],
    ['an argument', () => [...good(), 'now'], 2, /argument/],
  ];
  for (const [name, args, code, says] of mistakes) {
    it(`${name}, with a sentence and the exit code ${code}`, async () => {
      const result = await run(args());
      assert.equal(result.code, code, result.stderr);
      assert.match(result.stderr, says);
      assert.doesNotMatch(result.stderr, /\n\s+at |whsec_short/);
      assert.equal(result.stdout, '');
    });
  }

  it('what is not Leadwire, and a service whose feature webhooks is off', async () => {
    const other = await startReceiver({ respond: { status: 200, body: 'hello' } });
    const off = await startServer({ database, env: { LEADWIRE_FEATURES_OFF: 'webhooks' } });
    try {
      for (const [url, says] of [
        [other.url, /is not Leadwire/],
        [off.url, /feature webhooks is switched off/],
      ] as const) {
        const { code, stderr } = await run([...good(), '--url', url]);
        assert.equal(code, 1);
        assert.match(stderr, says);
      }
    } finally {
      await other.close();
      await off.stop();
    }
  });
});
