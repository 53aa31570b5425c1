import assert from 'node:assert/strict';
import type { CallOptions, Json } from '../../support/index.ts';
import { openDashboard } from '../../support/index.ts';

export const URL_ENCODED = 'application/x-www-form-urlencoded';
export const CONSENT_TEXT = 'I agree to be called about <solar> & "roofs".';

/** A server with forms of `ours`, stopped after the file, and short forms of what pages send. */
export async function openFormScene() {
  const { server, database, ours, theirs, people, as } = await openDashboard();
  const admin = as('admin');
  const base = `/accounts/${ours.id}`;
  const ok = async (method: string, path: string, body?: Json): Promise<Json> => {
    const answer = await admin.call(method, base + path, { body });
    assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
    return answer.json;
  };
  const { keys } = await ok('GET', '/keys');
  const writer = keys.find(({ public_key }: Json) => public_key === ours.writer.public_key);
  const send = (form: { id: string }, body: unknown, options: CallOptions = {}) =>
    server.call('POST', `/forms/${form.id}`, { body, ...options });
  return {
    ...{ server, database, ours, theirs, people, as, admin, ok, send, writer },
    /** A form that takes any number of submissions at any speed. */
    form: (body: Json = {}): Promise<Json> =>
      ok('POST', '/forms', {
        ...{ name: 'Summer', campaign_id: 1, key_id: writer.id, min_fill_seconds: 0 },
        ...{ per_address_a_minute: 0, ...body },
      }),
    change: (form: { id: string }, body: Json): Promise<Json> =>
      ok('PATCH', `/forms/${form.id}`, body),
    /** Sends url-encoded inputs as a script does. */
    post: (form: { id: string }, inputs: Json, headers: CallOptions['headers'] = {}) =>
      send(form, new URLSearchParams(inputs).toString(), {
        headers: { 'content-type': URL_ENCODED, accept: 'application/json', ...headers },
      }),
    lead: (id: string): Promise<Json> => ok('GET', `/leads/${id}`),
    consents: async (id: string): Promise<Json[]> =>
      (await ok('GET', `/leads/${id}/consents`)).consents,
    count: async (): Promise<number> => {
      const [row] = await database.query('SELECT count(*)::int AS count FROM leads');
      return row.count;
    },
  };
}
