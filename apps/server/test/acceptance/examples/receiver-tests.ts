import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Env } from '../../support/cli.ts';
import { eventually, type SeededKey, type TestServer } from '../../support/index.ts';
import { freePort } from '../../support/server.ts';
import type { Running } from './processes.ts';
import {
  eventBody,
  REFUSED,
  signatureOf,
  TAKEN,
  type WebhookRequest,
  webhookRequest,
  withHeader,
} from './webhook-requests.ts';

type Options = {
  /** Starts the receiver with the webhook's secret in its environment. */
  receive: (port: number, env: Env) => Promise<Running>;
  /** Where it takes webhooks; default /. */
  path?: string;
  service: () => { server: TestServer; key: SeededKey };
  /** Its platform bounds bodies, not the handler. */
  takesAnyLength?: boolean;
  /** It skips an event that it has seen. */
  skipsSeen?: boolean;
};

/** What every receiver among the examples must do: with the service, and with requests made for it. */
export function receiverTests(options: Options): void {
  const { receive, path = '/', service, takesAnyLength = false, skipsSeen = false } = options;
  describe('its receiver', () => {
    let running: Running;
    let webhook: { id: string; secret: string };
    let url: string;

    before(async () => {
      const port = await freePort();
      url = `http://127.0.0.1:${port}${path}`;
      const { server, key } = service();
      const body = { url, events: ['lead.created'], active: true };
      webhook = (await server.call('POST', '/api/v1/webhooks', { key, body })).json;
      running = await receive(port, { LEADWIRE_WEBHOOK_SECRET: webhook.secret });
    });
    after(async () => {
      await running?.stop();
      const { server, key } = service();
      await server.call('DELETE', `/api/v1/webhooks/${webhook.id}`, { key });
    });

    const verifications = (id: string) =>
      running
        .output()
        .split('\n')
        .filter((line) => line === `verified lead.created ${id}`).length;
    // Each on a connection of its own: one that the receiver ends under a body that is too long must not be the next one's.
    const post = async ({ headers, body }: WebhookRequest) => {
      const own = { ...headers, connection: 'close' };
      return (await fetch(url, { method: 'POST', headers: own, body })).status;
    };

    test('verifies what the service delivers of a lead', async () => {
      const { server, key } = service();
      const lead = {
        campaign_id: 1,
        external_lead_id: `to ${url}`,
        first_name: 'Zoë 東京',
        email: 'z@example.com',
      };
      const { status } = await server.call('POST', '/api/v1/insertion/leads', { key, body: lead });
      assert.equal(status, 201);
      await eventually(async () => {
        const target = `/api/v1/webhooks/${webhook.id}/deliveries`;
        const { data } = (await server.call('GET', target, { key })).json;
        assert.equal(data.length, 1);
        assert.equal(data[0].state, 'delivered', running.output());
        assert.equal(verifications(data[0].event_id), 1, running.output());
      });
    });

    for (const [index, { name, make }] of TAKEN.entries()) {
      test(`takes an event ${name}`, async () => {
        const id = `evt_taken${index}`;
        assert.equal(await post(make(webhook.secret, id)), 204, running.output());
        await eventually(() => assert.equal(verifications(id), 1, running.output()));
      });
    }

    for (const [index, { name, make }] of REFUSED.entries()) {
      test(`refuses an event ${name}`, async () => {
        const id = `evt_refused${index}`;
        assert.equal(await post(make(webhook.secret, id)), 400);
        assert.equal(verifications(id), 0);
      });
    }

    test('refuses a signed body that is longer than any event', {
      skip: takesAnyLength && 'its platform does',
    }, async () => {
      const id = 'evt_long';
      const body = eventBody(id, 'x'.repeat(2 ** 21));
      // Some end the connection while it is sent.
      const status = await post(webhookRequest(webhook.secret, { id, body })).catch(() => 'ended');
      assert.ok(status === 400 || status === 413 || status === 'ended', `${status}`);
      // The first one can meet the connection that it ended.
      await eventually(async () =>
        assert.equal(await post(webhookRequest(webhook.secret, { id: 'evt_after' })), 204),
      );
      assert.equal(verifications(id), 0);
    });

    test('takes nothing where its secret is empty, or no base64', async () => {
      for (const secret of ['', 'whsec_', 'whsec_!']) {
        const port = await freePort();
        const open = await receive(port, { LEADWIRE_WEBHOOK_SECRET: secret });
        try {
          const forged = webhookRequest('whsec_', { id: 'evt_forged' });
          for (const signature of [signatureOf(forged), 'v1,', 'v1']) {
            const { headers, body } = withHeader(forged, 'webhook-signature', signature);
            const at = `http://127.0.0.1:${port}${path}`;
            const { status } = await fetch(at, { method: 'POST', headers, body });
            assert.equal(status, 400, `${secret} ${signature}`);
          }
          assert.doesNotMatch(open.output(), /^verified/m);
        } finally {
          await open.stop();
        }
      }
    });

    test(`answers an event that comes again${skipsSeen ? ', and skips it' : ''}`, async () => {
      for (const id of ['evt_again', 'evt_again', 'evt_last']) {
        assert.equal(await post(webhookRequest(webhook.secret, { id })), 204);
      }
      await eventually(() => assert.equal(verifications('evt_last'), 1, running.output()));
      assert.equal(verifications('evt_again'), skipsSeen ? 1 : 2, running.output());
    });
  });
}
