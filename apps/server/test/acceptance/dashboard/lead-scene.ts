import assert from 'node:assert/strict';
import { visitor } from '../../support/dashboard.ts';
import { type Json, openDashboard } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import type { SeededPerson } from '../../support/people.ts';

export const LEADS = '/api/v1/insertion/leads';

/** A server with people of both accounts, stopped after the file. */
export async function openLeadScene() {
  const { database, server, ours, theirs, people } = await openDashboard({
    env: { LEADWIRE_ALLOW_PRIVATE_WEBHOOKS: 'true' },
  });
  const as = ({ cookie }: SeededPerson, account = ours.id) => {
    const { call } = visitor(server, cookie);
    const path = (rest: string) => `/accounts/${account}/leads${rest}`;
    return {
      list: (query: Record<string, string | number> = {}) => {
        const text = new URLSearchParams();
        for (const [name, value] of Object.entries(query)) text.set(name, String(value));
        return call('GET', path(`?${text}`));
      },
      get: (id: string) => call('GET', path(`/${id}`)),
      edit: (id: string, version: number, changes: object) =>
        call('PATCH', path(`/${id}`), { body: { version, changes } }),
      erase: (id: string, version: number) =>
        call('POST', path(`/${id}/erase`), { body: { version } }),
      timeline: (id: string, query = '') => call('GET', path(`/${id}/timeline${query}`)),
    };
  };
  return {
    ...{ database, server, ours, theirs, people, as },
    /** A new lead of `ours`. @returns it as the public API shows it */
    async insert(fields: object = {}): Promise<Json> {
      const answer = await server.call('POST', LEADS, {
        key: ours.full,
        body: newLead({ ...fields }),
      });
      assert.equal(answer.status, 201, answer.text);
      return answer.json.lead;
    },
    patch: (id: string, body: object) =>
      server.call('PATCH', `${LEADS}/${id}`, { key: ours.full, body }),
  };
}
