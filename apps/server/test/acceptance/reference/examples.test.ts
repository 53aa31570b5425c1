import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type CallOptions,
  createKey,
  createTestDatabase,
  type Json,
  type SeededKey,
  seed,
  startServer,
  type TestDatabase,
  type TestServer,
} from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { type Operation, readDocument } from './document.ts';

let database: TestDatabase;
let server: TestServer;
let reference: Awaited<ReturnType<typeof readDocument>>;
/** With a rate limit of its own that no test uses up, so that answers show its headers. */
let key: SeededKey;

before(async () => {
  database = await createTestDatabase();
  server = await startServer({ database });
  reference = await readDocument(server);
  key = await createKey(database.env, seed().ours.id, { rateLimit: '5000/60' });
});
after(() => server.stop());

/**
 * The address of an operation with the examples of its path, or what is `live` instead of them, and with the examples
 * of its query where wanted.
 */
function target(
  { path, operation }: Operation,
  { query, live = {} }: { query: boolean; live?: Record<string, string> },
): string {
  const parameters: Json[] = operation.parameters.map(reference.resolve);
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (text, { name, example }) =>
        text.replace(`{${name}}`, encodeURIComponent(live[name] ?? example)),
      path,
    );
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }): [string, string] => [name, String(example)]);
  return query && pairs.length > 0 ? `${filled}?${new URLSearchParams(pairs)}` : filled;
}

/** What the ids in the path of an operation on webhooks can stand for: a webhook of its own, with what such have. */
async function liveIds({ path }: Operation): Promise<Record<string, string>> {
  if (!path.startsWith('/api/v1/webhooks/{id}')) return {};
  const post = async (target: string, body: Json) =>
    (await server.call('POST', target, { key, body })).json;
  const events = ['lead.created'];
  // Nobody listens there.
  const { id } = await post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/', events });
  const ids: Record<string, string> = { id };
  if (path.includes('{delivery}')) {
    await post('/api/v1/insertion/leads', newLead());
    const list = await server.call('GET', `/api/v1/webhooks/${id}/deliveries`, { key });
    ids.delivery = list.json.data[0].id;
  }
  if (path.includes('{replay}')) {
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
    ids.replay = (await post(`/api/v1/webhooks/${id}/replay`, range)).id;
  }
  return ids;
}

const requestsOf = ({ operation }: Operation): [type: string, name: string, value: Json][] =>
  Object.entries((operation.requestBody?.content ?? {}) as Record<string, Json>).flatMap(
    ([type, media]) =>
      Object.entries(media.examples as Record<string, Json>).map(
        ([name, { value }]) => [type, name, value] as [string, string, Json],
      ),
  );

/** The status whose example has the name. */
const statusOf = ({ operation }: Operation, name: string): number =>
  Number(
    Object.entries(operation.responses as Record<string, Json>).find(
      ([, answer]) => answer.content['application/json'].examples[name],
    )?.[0],
  );

/** All but what differs from run to run: which members there are, and what the example says happened. */
const shapeOf = (body: Json): Json => ({
  members: Object.keys(body),
  status: typeof body.status === 'string' ? body.status : undefined,
  changed: body.changed,
  counts: body.counts,
  lead: body.lead && { ...body.lead, id: '', account_id: '', created_at: '', updated_at: '' },
});

describe('on a live server', () => {
  test('every example of a request gets the documented status, and the body of its example', async () => {
    let sent = 0;
    for (const operation of reference.operations) {
      for (const [type, name, body] of requestsOf(operation)) {
        const address = target(operation, { query: false, live: await liveIds(operation) });
        const answer = await server.call(operation.method, address, {
          ...{ key, body, headers: { 'content-type': type } },
        });
        assert.equal(answer.status, statusOf(operation, name), `${name}: ${answer.text}`);
        reference.assertDocumented(operation, answer);
        const { examples } =
          operation.operation.responses[answer.status].content['application/json'];
        assert.deepEqual(shapeOf(answer.json), shapeOf(examples[name].value), name);
        sent++;
      }
    }
    assert.ok(sent >= 7, `only ${sent} examples were sent`);
  });

  test('every operation without a body answers as documented, with and without its parameters', async () => {
    const reads = reference.operations.filter(({ operation }) => !operation.requestBody);
    assert.ok(reads.length >= 4);
    for (const operation of reads) {
      for (const query of [false, true]) {
        const address = target(operation, { query, live: await liveIds(operation) });
        const answer = await server.call(operation.method, address, { key });
        assert.ok(answer.status < 300, `${operation.path}: ${answer.text}`);
        reference.assertDocumented(operation, answer);
      }
    }
  });

  test('every operation answers other methods with the documented ones', async () => {
    const methods = Map.groupBy(reference.operations, ({ path }) => path);
    for (const [path, operations] of methods) {
      const answer = await server.call('PROPFIND', path.replace(/\{\w+\}/g, 'x'), { key });
      assert.equal(answer.status, 405);
      const allowed = String(answer.headers.allow).split(', ');
      for (const { method } of operations) assert.ok(allowed.includes(method), `${method} ${path}`);
    }
  });

  test('every operation wants the documented scope', async () => {
    const { reader, writer } = seed().ours;
    for (const operation of reference.operations) {
      const [scope] = operation.operation.security[0].bearer;
      const other = scope === 'leads:read' ? writer : reader;
      const address = target(operation, { query: false });
      const answer = await server.call(operation.method, address, { key: other });
      assert.equal(answer.json.error, `scope_required:${scope}`, operation.path);
    }
  });

  test('every operation takes a signature where that is documented, and no other does', async () => {
    for (const operation of reference.operations) {
      const isSigned = operation.operation.security.some((way: Json) => way.hmacSignature);
      const address = target(operation, { query: false });
      const answer = await server.call(operation.method, address, { hmac: key });
      assert.equal(answer.status !== 401, isSigned, `${operation.path}: ${answer.text}`);
    }
  });
});

const tooLarge = (bytes: number): CallOptions => ({ body: ' '.repeat(bytes) });

describe('the examples of failures are word for word what the service says', () => {
  const body = { campaign_id: 1, external_lead_id: 'worded', phone: '+14155550132' };
  const notHashed = { campaign_id: 1, external_lead_id: 'worded', content_hash: 'none' };
  const past = Math.floor(Date.now() / 1000) - 412;
  const failures: [
    example: string,
    operationId: string,
    options: () => CallOptions & { target?: string },
  ][] = [
    ['malformed_json', 'insertLead', () => ({ body: '{campaign_id: 1}' })],
    ['empty_body', 'patchLead', () => ({ body: {} })],
    ['invalid_lead', 'insertLead', () => ({ body: { campaign_id: 1, phone: '415 555 0132' } })],
    ['unknown_field', 'insertLead', () => ({ body: { ...body, fist_name: 'Ada' } })],
    ['unknown_campaign', 'insertLead', () => ({ body: { ...body, campaign_id: 99 } })],
    ['fixed_field', 'patchLead', () => ({ body: { campaign_id: 2 } })],
    ['invalid_batch', 'insertLeads', () => ({ body: { leads: [] } })],
    ['invalid_reconciliation', 'reconcileLeads', () => ({ body: { leads: [notHashed] } })],
    [
      'invalid_validate_only',
      'insertLead',
      () => ({ target: '/api/v1/insertion/leads?validate_only=1', body }),
    ],
    ['invalid_query', 'listLeads', () => ({ target: '/api/v1/insertion/leads?limit=101' })],
    ['invalid_webhook', 'createWebhook', () => ({ body: { url: 'crm.example.com', events: [] } })],
    ['missing_auth', 'listLeads', () => ({ key: undefined })],
    ['invalid_bearer', 'listLeads', () => ({ headers: { authorization: 'Bearer x' } })],
    [
      'invalid_public_key',
      'listLeads',
      () => ({ key: undefined, hmac: { ...key, public_key: 'lwpk_x' } }),
    ],
    [
      'signature_expired',
      'listLeads',
      () => ({ key: undefined, hmac: { ...key, timestamp: past } }),
    ],
    [
      'invalid_signature',
      'listLeads',
      () => ({ key: undefined, hmac: { ...key, secret_key: 'wrong' } }),
    ],
    ['scope_required.leads.read', 'listLeads', () => ({ key: seed().ours.writer })],
    ['scope_required.leads.write', 'insertLead', () => ({ key: seed().ours.reader, body })],
    ['not_found', 'getLead', () => ({ target: '/api/v1/insertion/leads/nobody' })],
    ['payload_too_large', 'insertLead', () => tooLarge(256 * 1024 + 1)],
    ['batch_too_large', 'insertLeads', () => tooLarge(5 * 1024 * 1024 + 1)],
    ['reconciliation_too_large', 'reconcileLeads', () => tooLarge(2 * 1024 * 1024 + 1)],
  ];
  for (const [example, operationId, options] of failures) {
    test(example, async () => {
      const operation = reference.operation(operationId);
      const { target: address = target(operation, { query: false }), ...rest } = options();
      const answer = await server.call(operation.method, address, { key, ...rest });
      const documented = operation.operation.responses[answer.status];
      const { examples } = documented.content['application/json'];
      assert.ok(examples[example], `${example} is not documented for ${answer.status}`);
      assertWords(answer.json, reference.resolve(examples[example]).value);
    });
  }

  test('conflict, with the ETag of the lead', async () => {
    const operation = reference.operation('patchLead');
    await server.call('POST', '/api/v1/insertion/leads', { key, body });
    const answer = await server.call('PATCH', '/api/v1/insertion/leads/worded', {
      ...{ key, body: { status: 'contacted' }, headers: { 'if-match': '"99"' } },
    });
    reference.assertDocumented(operation, answer);
    const { value } = reference.document.components.examples.conflict;
    const current = answer.headers.etag as string;
    assertWords(answer.json, { ...value, message: value.message.replace('"3"', current) });
  });

  test('webhook_limit_reached', async () => {
    const operation = reference.operation('createWebhook');
    const full = { key: seed().theirs.full, body: requestsOf(operation)[0]?.[2] };
    const post = () => server.call('POST', '/api/v1/webhooks', full);
    const made = await Promise.all(Array.from({ length: 100 }, post));
    assert.ok(made.every(({ status }) => status === 201));
    const { examples } = operation.operation.responses[400].content['application/json'];
    assertWords((await post()).json, reference.resolve(examples.webhook_limit_reached).value);
  });

  test('rate_limited', async () => {
    const few = await createKey(database.env, seed().ours.id, { rateLimit: '1/600' });
    const list = reference.operation('listLeads');
    const ask = () => server.call('GET', '/api/v1/insertion/leads', { key: few });
    await ask();
    const answer = await ask();
    assert.equal(answer.status, 429);
    reference.assertDocumented(list, answer);
    assertWords(answer.json, reference.document.components.examples.rate_limited.value);
  });
});

/** Same members, same code and message; the request id and the details of a signature are each request's own. */
function assertWords(actual: Json, example: Json): void {
  assert.deepEqual(Object.keys(actual), Object.keys(example));
  const { error, message, errors, details } = actual;
  assert.deepEqual({ error, message, errors }, pick(example));
  assert.deepEqual(Object.keys(details ?? {}), Object.keys(example.details ?? {}));
}

const pick = ({ error, message, errors }: Json) => ({ error, message, errors });
