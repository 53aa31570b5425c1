import assert from 'node:assert/strict';
import {
  eventually,
  type Json,
  type Received,
  type Receiver,
  type SeededKey,
  startReceiver,
  type TestServer,
  visitor,
} from '../support/index.ts';
import { newLead } from '../support/new-lead.ts';
import type { VisitorOptions } from './browser.ts';

/** What somebody might store in the hope that it is run wherever it is shown. */
export const SCRIPT = '<img src=x onerror=alert(1)><script>alert(2)</script>{{7*7}}';

/** Nowhere to break a line. */
export const LONG = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(6).slice(0, 250);

const CAMPAIGN = { campaign_id: 1 };

/** A browser's options for somebody with a session; `cookie` as it is sent. */
export const signedIn = (cookie: string): VisitorOptions => ({
  cookies: cookie.split('; ').map((pair) => {
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1) };
  }),
});

export type Busy = {
  /** A lead that was changed, sent and refused by an endpoint; long and hostile in every field. */
  lead: string;
  key: string;
  /** Fails. */
  webhook: string;
  delivery: string;
  /** Has the key; one submission was taken, one refused. */
  form: string;
  receiver: Receiver;
  /** One was checked, the other ran; both hold hostile texts and bad rows. */
  imports: { checked: string; done: string };
};

const BATCH = 1_000;

type Options = { server: TestServer; key: SeededKey; cookie: string };

/** `leads`: how many there are beside the long one, a multiple of 1,000. */
type BusyOptions = Options & { leads: number };

/** Fills an account with much of everything, and with what is hard to show. */
export async function makeBusy({ server, key, cookie, leads: many }: BusyOptions): Promise<Busy> {
  const api = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await server.call(method, `/api/v1${path}`, { key, body });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.json;
  };
  for (let n = 0; n < many; n += BATCH) {
    const leads = Array.from({ length: BATCH }, (_, index) => manyLead(n + index));
    await api('POST', '/insertion/leads/batch', { leads });
  }
  // Before the long lead, which stays the newest, and before the webhooks, which are not about them.
  const imports = await makeImports({ server, key, cookie });
  const receiver = await startReceiver({ respond: refuseTheLong });
  const hook = { url: `${receiver.url}/${'long/'.repeat(40)}`, events: ['lead.created'] };
  const { id: webhook } = await api('POST', '/webhooks', { ...hook, description: SCRIPT });
  await api('POST', '/webhooks', { url: receiver.url, events: ['lead.updated'] });
  const { lead } = await api('POST', '/insertion/leads', longLead());
  await api('PATCH', `/insertion/leads/${lead.id}`, { status: 'contacted', source: null });
  await server.call('POST', '/api/v1/insertion/leads', { key, body: { ...CAMPAIGN, phone: 'x' } });
  const delivery = await eventually(async () => {
    const { data } = await api('GET', `/webhooks/${webhook}/deliveries?state=retrying`);
    assert.ok(data[0], 'nothing has failed yet');
    return data[0].id;
  });
  const { keys } = await dashboard(server, cookie, `/accounts/${key.account_id}/keys`);
  const ours = keys.find((one: Json) => one.public_key === key.public_key);
  const form = await longForm(server, `/accounts/${key.account_id}/forms`, {
    cookie,
    key: ours.id,
  });
  return { imports, lead: lead.id, webhook, delivery, receiver, key: ours.id, form };
}

async function dashboard(server: TestServer, cookie: string, path: string): Promise<Json> {
  const answer = await server.call('GET', `/dashboard/api${path}`, { headers: { cookie } });
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return answer.json;
}

async function longForm(
  server: TestServer,
  path: string,
  { cookie, key }: { cookie: string; key: string },
): Promise<string> {
  const made = await visitor(server, cookie).call('POST', path, {
    body: {
      ...{ name: SCRIPT + LONG.slice(0, 40), ...CAMPAIGN, key_id: key, min_fill_seconds: 0 },
      fields: [
        { name: SCRIPT, label: SCRIPT, to: `custom_fields.${SCRIPT}`, required: true },
        { name: LONG.slice(0, 100), label: LONG.slice(0, 200), to: 'email', required: true },
      ],
      consent: { text: `${LONG} ${SCRIPT}`, required: true },
      ...{ source: SCRIPT, redirect_url: `https://shop.example/${LONG}` },
    },
  });
  assert.equal(made.status, 200, made.text);
  const typed = { [SCRIPT]: SCRIPT, _consent: 'yes', _consent_version: '1' };
  for (const email of ['no address', 'ada@shop.example']) {
    await server.call('POST', `/forms/${made.json.id}`, {
      body: { ...typed, [LONG.slice(0, 100)]: email },
      headers: { 'content-type': 'application/json', accept: 'application/json' },
    });
  }
  return made.json.id;
}

async function makeImports({ server, key, cookie }: Options): Promise<Busy['imports']> {
  const browser = visitor(server, cookie);
  const send = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await browser.call(method, `/accounts/${key.account_id}/imports${path}`, {
      body,
    });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.json;
  };
  const file = Buffer.from(hostileFile());
  const make = async (act: 'check' | 'start', ending: string): Promise<string> => {
    const file_name = `${LONG.slice(0, 100)} ${SCRIPT}.csv`;
    const { id } = await send('POST', '', { file_name, bytes: file.length });
    const { settings } = await send('POST', `/${id}/parts/0`, file);
    const columns = settings.columns.with(0, 'email').with(1, 'phone');
    await send('PATCH', `/${id}`, { ...CAMPAIGN, source: SCRIPT, columns });
    await send('POST', `/${id}/${act}`);
    await eventually(async () => assert.equal((await send('GET', `/${id}`)).state, ending));
    return id;
  };
  return { checked: await make('check', 'checked'), done: await make('start', 'done') };
}

/** Headers that repeat, rows that are too short, numbers without a country. */
function hostileFile(): string {
  const header = ['mail', 'tel', SCRIPT, SCRIPT, LONG.slice(0, 100), ''];
  const rows = Array.from({ length: 200 }, (_, n) =>
    n % 5 === 0
      ? [LONG, '030 12345']
      : [`a${n}@example.com`, '+14155551234', SCRIPT, 'x', LONG, ''],
  );
  return [header, ...rows].map((cells) => cells.join(',')).join('\n');
}

const refuseTheLong = ({ json }: Received) =>
  json.data.lead?.first_name === SCRIPT
    ? { status: 500, headers: { 'content-type': 'text/html' }, body: `${SCRIPT} ${LONG}` }
    : 204;

const longLead = (): Json =>
  newLead({
    ...{ first_name: SCRIPT, last_name: LONG.slice(0, 100), source: SCRIPT },
    tcpa_consent_text: `${LONG} ${SCRIPT}`,
    external_lead_id: `${SCRIPT}-${LONG}`.slice(0, 255),
    email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example`,
    address: { street: LONG, city: SCRIPT },
    custom_fields: { [SCRIPT]: SCRIPT, nested: { deep: [LONG, { __proto_: null }] } },
  });

const NAMES = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Donald', 'Margaret', 'Tim', 'Radia'];
const FAMILIES = ['Lovelace', 'Hopper', 'Dijkstra', 'Liskov', 'Knuth', 'Hamilton', 'Berners-Lee'];
const SOURCES = ['google', 'facebook', 'partner-a', 'partner-b'];
const STATUSES = ['new', 'new', 'contacted', 'qualified', 'converted'];

function manyLead(n: number): Json {
  const of = (list: string[]) => list[n % list.length] as string;
  return newLead({
    ...{ campaign_id: (n % 3) + 1, first_name: of(NAMES), last_name: of(FAMILIES) },
    ...{ source: of(SOURCES), status: of(STATUSES) },
    external_lead_id: `crm-${100_000 + n}`,
    email: `${of(NAMES)}.${n}@example.com`.toLowerCase(),
    phone: `+1415555${String(n).padStart(4, '0')}`,
  });
}
