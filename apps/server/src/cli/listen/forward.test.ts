import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Sending } from '../../modules/deliveries/index.ts';
import { createForward } from './forward.ts';

type AttemptInput = Parameters<Sending['attempt']>[0];
type AttemptResult = Awaited<ReturnType<Sending['attempt']>>;

const event = { id: 'evt_1', type: 'lead.created', timestamp: '', text: '{"id":"evt_1"}' };
const ok = { succeeded: true, error: null, status: 204, detail: null, durationMs: 2.6 };
const down = { ...ok, succeeded: false, error: 'connection_failed', status: null };
const rest = { answer: null, retryAfterMs: null, isGone: false };

/** Forwards one event to a program that answers as told, the last answer for ever. */
async function forwarded(answers: object[], goesOn = () => true) {
  const inputs: AttemptInput[] = [];
  const waits: number[] = [];
  const said: string[] = [];
  const forward = createForward({
    url: 'http://localhost:4000/hook',
    secret: 'whsec_x',
    async attempt(input) {
      inputs.push(input);
      const answer = answers[Math.min(inputs.length, answers.length) - 1];
      return { ...answer, ...rest } as AttemptResult;
    },
    onRetry: (sentence) => said.push(sentence),
    async wait(ms) {
      waits.push(ms);
      return goesOn();
    },
  });
  return { result: await forward(event), inputs, waits, said };
}

describe('an event is forwarded', () => {
  test('once where the program answers, whatever the answer', async () => {
    for (const status of [204, 500, 302]) {
      const answer = { ...ok, status, error: status === 204 ? null : 'status' };
      const { result, inputs, waits } = await forwarded([answer]);
      assert.deepEqual([result.status, result.attempts, result.duration_ms], [status, 1, 3]);
      assert.deepEqual(waits, []);
      const body = event.text;
      const url = 'http://localhost:4000/hook';
      assert.deepEqual(inputs, [{ url, eventId: 'evt_1', body, secrets: ['whsec_x'] }]);
    }
  });

  test('again after 1, 2 and 4 seconds while the program does not answer, and no more', async () => {
    const { result, waits, said } = await forwarded([{ ...down, detail: 'ECONNREFUSED' }]);
    assert.deepEqual(waits, [1000, 2000, 4000]);
    assert.deepEqual(
      { ...result, duration_ms: 0 },
      { status: null, error: 'ECONNREFUSED', attempts: 4, duration_ms: 0 },
    );
    assert.match(said[0] ?? '', /localhost:4000.* does not answer \(ECONNREFUSED\).* in 1 s/);
    assert.equal(said.length, 3);
  });

  test('until the program is there', async () => {
    const { result, waits } = await forwarded([down, down, ok]);
    assert.deepEqual([result.status, result.error, result.attempts], [204, null, 3]);
    assert.deepEqual(waits, [1000, 2000]);
  });

  test('no more once the person ends it', async () => {
    const { result, inputs } = await forwarded([down], () => false);
    assert.equal(inputs.length, 1);
    assert.equal(result.error, 'connection_failed');
  });
});
