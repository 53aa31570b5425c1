import assert from 'node:assert/strict';
import { DASHBOARD_API } from '@leadwire/contract/dashboard';
import { eventually, type Json, type SeededKey, type TestServer } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

/** Ids of one of each record that an account has, named as the parameters of the dashboard's routes. */
export type Records = Record<
  | 'account'
  | 'campaign'
  | 'delivery'
  | 'form'
  | 'import'
  | 'invitation'
  | 'key'
  | 'lead'
  | 'part'
  | 'person'
  | 'replay'
  | 'session'
  | 'webhook',
  string
>;

const WEBHOOKS = '/api/v1/webhooks';
const HOUR_MS = 3_600_000;

/** Nobody listens there: what is sent fails, and waits to be sent again. */
const CLOSED = 'http://127.0.0.1:9/hook';

/** Makes one of each in an account. @param cookie of a session of its owner */
export async function makeRecords(
  server: TestServer,
  { key, cookie }: { key: SeededKey; cookie: string },
): Promise<Records> {
  const account = key.account_id;
  const api = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await server.call(method, path, { key, body });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.json;
  };
  const dashboard = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const headers = { cookie };
    const answer = await server.call(method, `${DASHBOARD_API}${path}`, { headers, body });
    assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
    return answer.json;
  };
  const { id: webhook } = await api('POST', WEBHOOKS, { url: CLOSED, events: ['lead.created'] });
  const { lead } = await api('POST', '/api/v1/insertion/leads', newLead());
  const delivery = await eventually(async () => {
    const { data } = await api('GET', `${WEBHOOKS}/${webhook}/deliveries`);
    assert.ok(data[0]?.attempt_count > 0, 'the lead has not been sent');
    return data[0].id;
  });
  const range = { from: new Date(Date.now() - HOUR_MS), to: new Date() };
  const replay = await api('POST', `${WEBHOOKS}/${webhook}/replay`, range);
  const { keys } = await dashboard('GET', `/accounts/${account}/keys`);
  const { members } = await dashboard('GET', `/accounts/${account}/members`);
  const invited = { role: 'viewer', email: 'invited@example.com' };
  const { invitation } = await dashboard('POST', `/accounts/${account}/invitations`, invited);
  const writer = keys.find(({ scopes }: Json) => scopes.includes('leads:write'));
  const newForm = { name: 'Form', campaign_id: 1, key_id: writer.id };
  const form = await dashboard('POST', `/accounts/${account}/forms`, newForm);
  const { sessions } = await dashboard('GET', '/me/sessions');
  const file = Buffer.from('Email\nimported@example.com\n');
  const imports = `/accounts/${account}/imports`;
  const newImport = { file_name: 'leads.csv', bytes: file.length };
  const one = await dashboard('POST', imports, newImport);
  await dashboard('POST', `${imports}/${one.id}/parts/0`, file);
  await dashboard('PATCH', `${imports}/${one.id}`, { campaign_id: 1, source: 'file' });
  await dashboard('POST', `${imports}/${one.id}/start`);
  await eventually(async () => {
    const { state } = await dashboard('GET', `${imports}/${one.id}`);
    assert.equal(state, 'done');
  });
  return {
    ...{ account, webhook, delivery },
    ...{ campaign: '1', lead: lead.id, replay: replay.id, invitation: invitation.id },
    ...{ key: keys[0].id, form: form.id },
    ...{ import: one.id, part: '0' },
    person: members[0].id,
    session: sessions[0].id,
  };
}

/** What changes without anybody changing it. */
const VOLATILE = new Set([
  ...['health', 'failing_since', 'last_used_at', 'progress', 'leads_last_day', 'state'],
]);

/** All that the dashboard shows of these records, to see that nothing changed. */
export async function snapshot(
  server: TestServer,
  records: Records,
  cookie: string,
): Promise<Json> {
  const { account, form, key, lead, webhook } = records;
  const parts: Record<string, Json> = {};
  for (const path of [
    '',
    '/members',
    '/invitations',
    '/campaigns',
    '/keys',
    `/keys/${key}`,
    `/leads/${lead}`,
    '/forms',
    `/forms/${form}/embedding`,
    '/imports',
    `/imports/${records.import}/bad-rows`,
    '/webhooks',
    `/webhooks/${webhook}/replays`,
  ]) {
    const answer = await server.call('GET', `${DASHBOARD_API}/accounts/${account}${path}`, {
      headers: { cookie },
    });
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    parts[path] = JSON.parse(answer.text, (name, value) => (VOLATILE.has(name) ? null : value));
  }
  return parts;
}
