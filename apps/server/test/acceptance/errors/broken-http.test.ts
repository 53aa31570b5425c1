import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { assertFailure, parseAnswers } from '../../support/failure.ts';
import {
  createTestDatabase,
  eventually,
  rawRequest,
  seed,
  startServer,
} from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

const LEADS = '/api/v1/insertion/leads';

const database = await createTestDatabase();
const server = await startServer({ database });
const key = seed().ours.full;
const authorization = `Authorization: Bearer ${key.secret_key}`;

/** A POST as bytes; `lines` are header lines. */
function post(lead: object, lines: string[] = [], version = '1.1'): string {
  const body = JSON.stringify(lead);
  const head = [`POST ${LEADS} HTTP/${version}`, ...lines, authorization];
  return `${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const only = (received: string) => {
  const answers = parseAnswers(received);
  assert.equal(answers.length, 1, received);
  return answers[0] as (typeof answers)[number];
};

/** Opens a socket, writes and leaves. */
async function writeAndLeave(bytes: string): Promise<void> {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(bytes, resolve));
  socket.destroy();
  await once(socket, 'close');
}

describe('broken HTTP', () => {
  const broken: Record<string, string | Buffer> = {
    'no HTTP at all': 'hello\r\n\r\n',
    'a TLS handshake': Buffer.from('16030100a5010000a10303', 'hex'),
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a version that does not exist': `GET ${LEADS} HTTP/9.9\r\nHost: x\r\n\r\n`,
    'an unknown method': `FOO ${LEADS} HTTP/1.1\r\nHost: x\r\n\r\n`,
    'a header without a name': `GET ${LEADS} HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n`,
    'a header with a NUL': `GET ${LEADS} HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n`,
    'a folded header': `GET ${LEADS} HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n`,
    'a NUL in the path': `GET ${LEADS}/\0 HTTP/1.1\r\nHost: x\r\n\r\n`,
    'a space in the path': `GET ${LEADS}/a b HTTP/1.1\r\nHost: x\r\n\r\n`,
    'a length that is no number': `POST ${LEADS} HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n`,
    'a negative length': `POST ${LEADS} HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n`,
    'two lengths': `POST ${LEADS} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    'a length and chunks': `POST ${LEADS} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'an unknown transfer encoding': `POST ${LEADS} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: zip\r\n\r\n`,
    'no Host': `GET ${LEADS} HTTP/1.1\r\nConnection: close\r\n\r\n`,
  };
  for (const [name, bytes] of Object.entries(broken)) {
    it(`${name} is answered in the form of every failure`, async () => {
      const answer = only(await rawRequest(server.url, bytes));
      assertFailure(answer, 400, 'bad_request');
    });
  }

  it('headers and addresses beyond every measure are answered in that form too', async () => {
    const long = 'a'.repeat(100_000);
    for (const head of [`GET /${long} HTTP/1.1`, `GET ${LEADS} HTTP/1.1\r\nX-Long: ${long}`]) {
      const answer = only(await rawRequest(server.url, `${head}\r\nHost: x\r\n\r\n`));
      assert.ok([414, 431].includes(answer.status));
      assertFailure(answer, answer.status, /^[a-z_]+$/);
    }
  });

  it('an expectation that cannot be met is answered in that form too (RFC 9110, 10.1.1)', async () => {
    const lines = ['Host: x', 'Expect: a-miracle', 'Connection: close'];
    const answer = only(await rawRequest(server.url, post(newLead(), lines)));
    assertFailure(answer, 417, /^[a-z_]+$/);
  });

  it('chunks that are none are a 400, and no lead', async () => {
    const head = `POST ${LEADS} HTTP/1.1\r\nHost: x\r\n${authorization}\r\nTransfer-Encoding: chunked`;
    const received = await rawRequest(server.url, `${head}\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`);
    assertFailure(only(received), 400, 'bad_request');
  });

  it('raw UTF-8 in an address is no more than a failure', async () => {
    const bytes = `GET ${LEADS}/é🚀 HTTP/1.1\r\nHost: x\r\n${authorization}\r\nConnection: close\r\n\r\n`;
    const answer = only(await rawRequest(server.url, Buffer.from(bytes)));
    assert.ok(answer.status === 400 || answer.status === 404, String(answer.status));
    assertFailure(answer, answer.status, /^[a-z_]+$/);
  });
});

describe('unusual HTTP', () => {
  after(() => server.stop());

  it('1.0 works, without Host, and the connection is closed after the answer', async () => {
    const answer = only(await rawRequest(server.url, post(newLead(), [], '1.0')));
    assert.equal(answer.status, 201, answer.text);
    const failure = only(await rawRequest(server.url, `GET ${LEADS} HTTP/1.0\r\n\r\n`));
    assertFailure(failure, 401, 'missing_auth');
  });

  it('an address in absolute form works (RFC 9112, 3.2.2)', async () => {
    const bytes = `GET ${server.url}/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    assert.equal(only(await rawRequest(server.url, bytes)).status, 200);
  });

  it('Expect: 100-continue is continued', async () => {
    const lines = ['Host: x', 'Expect: 100-continue', 'Connection: close'];
    const answers = parseAnswers(await rawRequest(server.url, post(newLead(), lines)));
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [100, 201],
    );
  });

  it('pipelined requests are answered one by one in their order', async () => {
    const leads = [newLead(), newLead(), newLead()];
    const bytes = leads.map((lead) => post(lead, ['Host: x'])).join('');
    const last = `GET /nope HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const answers = parseAnswers(await rawRequest(server.url, bytes + last));
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [201, 201, 201, 404],
    );
    leads.forEach((lead, index) => {
      const { external_lead_id } = JSON.parse(answers[index]?.text ?? '').lead;
      assert.equal(external_lead_id, lead.external_lead_id);
    });
  });

  it('a body that trickles in is waited for, while others are served', async () => {
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    const bytes = post(newLead(), ['Host: x', 'Connection: close']);
    const closed = once(socket, 'close');
    for (let start = 0; start < bytes.length; start += 25) {
      socket.write(bytes.slice(start, start + 25));
      await pause(10);
      if (start === 200) assert.equal((await server.call('GET', LEADS, { key })).status, 200);
    }
    await closed;
    assert.equal(only(received).status, 201);
  });

  it('a client that leaves in the middle of a body leaves no lead and no trace but a line', async () => {
    const lead = newLead();
    await writeAndLeave(post(lead, ['Host: x']).slice(0, -10));
    await writeAndLeave(`POST ${LEADS} HTTP/1.1\r\nHost: x\r\nContent-Le`);
    await writeAndLeave('');
    const path = `${LEADS}/${lead.external_lead_id}`;
    assert.equal((await server.call('GET', path, { key })).status, 404);
  });

  it('a client that leaves before its answer does not disturb the others', async () => {
    const lead = newLead();
    await writeAndLeave(post(lead, ['Host: x']));
    const path = `${LEADS}/${lead.external_lead_id}`;
    // It may have been read or not; whichever it is, the service goes on.
    const { status } = await server.call('GET', path, { key });
    assert.ok(status === 200 || status === 404);
  });

  it('has left the process alive, and its log without an error', async () => {
    assert.equal((await server.call('GET', '/healthz')).status, 200);
    assert.ok(server.alive());
    await eventually(() => assert.ok(server.logLines().length > 10));
    const errors = server.logLines().filter(({ level }) => level === 'error' || level === 'fatal');
    assert.deepEqual(errors, []);
  });
});
