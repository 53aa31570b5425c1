import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type SeededKey, sign, type TestServer } from '../../support/index.ts';
import { type Seen, type Step, startFailingService } from './failing-service.ts';
import type { Language } from './languages.ts';
import { type Ended, run } from './processes.ts';
import { signingVectors } from './vectors.ts';

type Service = () => { server: TestServer; key: SeededKey };

const KEY = { public_key: 'lwpk_1', secret_key: 'lwsk_1' };
const TRY_AGAIN = { ok: false, error: 'unavailable', message: 'Try again.', request_id: 'r' };
const INSERTED = { ok: true, status: 'inserted', changed: [], lead: { id: 'l' } };
const answer = (status: number, body: object, headers = {}): Step => ({
  ...{ status, headers: { 'content-type': 'application/json', ...headers } },
  body: JSON.stringify(body),
});

/** What every example that sends a lead must do. */
export function senderTests({ send, sign: signAll, name }: Language, service: Service): void {
  const sendTo = (url: string, key: { public_key: string; secret_key: string }, id: string) =>
    run([...send, id], {
      env: {
        LEADWIRE_URL: url,
        LEADWIRE_PUBLIC_KEY: key.public_key,
        LEADWIRE_SECRET_KEY: key.secret_key,
      },
    });

  describe('its sender', () => {
    test('signs as each vector says', {
      skip: !signAll && 'it has no function of its own',
    }, async () => {
      const signatures = await signAll?.(signingVectors);
      assert.deepEqual(
        signingVectors.map((vector, index) => [vector.name, signatures?.[index]]),
        signingVectors.map((vector) => [vector.name, vector.signature]),
      );
    });

    test('inserts a lead, and sent again it is the same one', async () => {
      const { server, key } = service();
      const first = await sendTo(server.url, key, `from ${name}`);
      assert.equal(first.code, 0, first.stderr);
      assert.match(first.stdout, /\binserted\b/);
      const second = await sendTo(server.url, key, `from ${name}`);
      assert.equal(second.code, 0, second.stderr);
      assert.match(second.stdout, /\bdeduped\b/);
    });

    test('fails with the sentence of the service where the secret is wrong', async () => {
      const { server, key } = service();
      const wrong = { ...key, secret_key: `${key.secret_key}x` };
      const { code, stdout, stderr } = await sendTo(server.url, wrong, 'refused');
      assert.notEqual(code, 0);
      assert.equal(stdout, '');
      assert.match(stderr, /401\b.*\binvalid_signature\b.*is not the signature of this request/);
    });

    test('tries again after 503, 429 and a cut connection, signed anew each time', async () => {
      const failing = [
        answer(503, TRY_AGAIN),
        answer(429, TRY_AGAIN, { 'retry-after': '1' }),
        'cut',
      ];
      const { ended, seen } = await against([...(failing as Step[]), answer(201, INSERTED)]);
      assert.equal(ended.code, 0, ended.stderr);
      assert.equal(seen.length, 4);
      assertSigned(seen);
      assert.equal(new Set(seen.map(timestampOf)).size, 4);
    });

    test('waits after a 429 that does not say for how long, or not in seconds', async () => {
      const past = { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' };
      const steps = [{}, past, { 'retry-after': '0' }].map((more) => answer(429, TRY_AGAIN, more));
      const { ended, seen } = await against([...steps, answer(201, INSERTED)]);
      assert.equal(ended.code, 0, ended.stderr);
      assert.equal(seen.length, 4);
      assert.equal(new Set(seen.map(timestampOf)).size, 4);
    });

    test('fails where it is sent elsewhere, since what is followed is a GET without the lead', async () => {
      const moved = answer(302, {}, { location: '/elsewhere' });
      const { ended, seen } = await against([moved, answer(200, INSERTED)]);
      assert.notEqual(ended.code, 0);
      assert.deepEqual([ended.stdout, seen.length], ['', 1]);
      assert.match(ended.stderr, /302/);
    });

    test('sends an id as it is, whatever a shell or JSON would make of it', async () => {
      const { server, key } = service();
      const id = `${name} "q", \\n $(id) \`id\` $HOME 'x' %s ${'*'}`;
      const { code, stderr } = await sendTo(server.url, key, id);
      assert.equal(code, 0, stderr);
      const target = `/api/v1/insertion/leads/${encodeURIComponent(id)}`;
      assert.equal((await server.call('GET', target, { key })).json.lead?.external_lead_id, id);
    });

    test('does not try again what was refused', async () => {
      const refused = {
        ...TRY_AGAIN,
        error: 'email is invalid',
        message: 'It is invalid.',
        errors: [],
      };
      const { ended, seen } = await against([answer(400, refused)]);
      assert.notEqual(ended.code, 0);
      assert.match(ended.stderr, /400\b.*email is invalid/);
      assert.equal(seen.length, 1);
    });
  });

  async function against(steps: Step[]): Promise<{ ended: Ended; seen: Seen[] }> {
    const failing = await startFailingService(steps);
    const ended = await sendTo(failing.url, KEY, 'again');
    await failing.close();
    return { ended, seen: failing.seen };
  }
}

const timestampOf = ({ headers }: Seen) => headers['x-leadwire-timestamp'];

function assertSigned(seen: Seen[]): void {
  for (const one of seen) {
    const { target, body, headers } = one;
    const expected = sign(KEY, { method: 'POST', target, body, timestamp: timestampOf(one) });
    assert.equal(headers['x-leadwire-signature'], expected['x-leadwire-signature']);
  }
}
