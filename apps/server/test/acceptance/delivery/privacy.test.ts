import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually } from '../../support/index.ts';
import { startScene, WEBHOOKS } from './scene.ts';

const scene = await startScene({ env: { LEADWIRE_LOG_LEVEL: 'trace' } });

after(() => scene.close());

describe('the log, at its most talkative', () => {
  it('shows neither signing secrets nor signatures nor what is in a lead or an answer', async () => {
    const fields = {
      phone: '+14155550199',
      email: 'private.person@example.org',
      first_name: 'Privatina',
      last_name: 'Personova',
      source: 'private-source',
      custom_fields: { diagnosis: 'private-matter' },
    };
    const answers = await scene.receiver({
      respond: [500, { status: 503, body: 'private-answer' }, 'reset', 'garbage', 204],
    });
    const [lost, gone] = [
      await scene.receiver({ respond: 500 }),
      await scene.receiver({ respond: 410 }),
    ];
    const hooks = [];
    for (const { url } of [answers, lost, gone]) hooks.push(await scene.webhook(url));
    const [first, given] = hooks;
    assert.ok(first && given);
    const rotated = await scene.expect(200, 'POST', `${WEBHOOKS}/${first.id}/rotate-secret`);
    await scene.lead(fields);
    for (const tries of [1, 2, 3, 4]) {
      await scene.attempted(first, tries);
      await scene.makeDue(first);
    }
    await answers.waitFor(5);
    await scene.attempted(given, 1);
    await scene.makeDue(given, 9);
    await eventually(async () => assert.deepEqual(await scene.waiting(given), []));
    await scene.server().stop();
    const log = scene.server().logs();
    const secrets = [...hooks.map(({ secret }) => secret), rotated.secret].map((secret) => {
      assert.match(secret, /^whsec_/);
      return secret.slice('whsec_'.length);
    });
    const signatures = [answers, lost, gone].flatMap(({ requests }) =>
      requests.flatMap(({ signature }) => signature.split(' ').map((one) => one.slice(3))),
    );
    assert.ok(signatures.length >= 8);
    const { custom_fields, ...plain } = fields;
    const values = [...Object.values(plain), ...Object.values(custom_fields), 'private-answer'];
    for (const text of [...secrets, ...signatures, ...values, 'whsec_']) {
      assert.ok(!log.includes(text), `${text} is in the log`);
    }
    assert.ok(scene.server().logLines().length > 0);
  });
});
