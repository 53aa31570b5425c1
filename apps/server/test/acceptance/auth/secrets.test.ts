import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  createKey,
  createTestDatabase,
  eventually,
  seed,
  sign,
  startServer,
} from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

const LEADS = '/api/v1/insertion/leads';

const database = await createTestDatabase();
const server = await startServer({ database });

/** Every stored value that can hold a text, as text; bytes both as they are and as hex. */
async function everythingStored(): Promise<string> {
  const columns = await database.query<{ table_name: string; column_name: string; type: string }>(
    `SELECT c.table_name, c.column_name, c.udt_name AS type FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'`,
  );
  const texts = await Promise.all(
    columns.map(async ({ table_name, column_name, type }) => {
      const column = `"${column_name}"`;
      const value = type === 'bytea' ? `encode(${column}, 'escape') || ${column}::text` : column;
      const rows = await database.query(`SELECT (${value})::text AS value FROM "${table_name}"`);
      return rows.map((row) => row.value).join('\n');
    }),
  );
  return texts.join('\n');
}

const lastUsed = async (publicKey: string): Promise<Date | null> => {
  const sql = 'SELECT last_used_at FROM api_keys WHERE public_key = $1';
  const [row] = await database.query(sql, [publicKey]);
  return row.last_used_at;
};

describe('secrets and their use', () => {
  after(() => server.stop());

  it('are a public key lwpk_ and a secret key lwsk_ in base62, other ones each time', async () => {
    const { full, reader, writer } = seed().ours;
    for (const key of [full, reader, writer]) {
      assert.match(key.public_key, /^lwpk_[0-9A-Za-z]{20,}$/);
      assert.match(key.secret_key, /^lwsk_[0-9A-Za-z]{40,}$/);
    }
    const all = [full, reader, writer].flatMap((key) => [key.public_key, key.secret_key]);
    assert.equal(new Set(all).size, 6);
  });

  it('stand nowhere in the store in clear, nor in the log', async () => {
    const { full } = seed().ours;
    const key = await createKey(database.env, seed().ours.id);
    const body = newLead();
    const signature = sign(full, { method: 'POST', target: LEADS, body: JSON.stringify(body) });
    await server.call('POST', LEADS, { key, body });
    await server.call('POST', LEADS, { hmac: full, body });
    await server.call('POST', LEADS, { headers: signature, body: `${JSON.stringify(body)} ` });
    await server.call('GET', LEADS, { headers: { authorization: `Bearer ${key.secret_key}x` } });
    await server.call('GET', LEADS, { headers: { authorization: `Basic ${key.secret_key}` } });
    await eventually(async () => assert.ok(await lastUsed(key.public_key)));
    // Log lines leave in blocks.
    await eventually(() => assert.ok(server.logs().includes(key.public_key), 'whose request'));
    const stored = await everythingStored();
    const logged = server.logs();
    assert.ok(stored.includes(key.public_key), 'the scan sees what is stored');
    const secrets = [key.secret_key, full.secret_key, database.env.LEADWIRE_ENCRYPTION_KEY];
    const signatures = [signature['x-leadwire-signature'] ?? ''];
    for (const secret of [...secrets, ...signatures]) {
      const random = secret.replace('lwsk_', '').slice(0, 30);
      for (const form of [random, Buffer.from(secret).toString('base64').slice(8, 40)]) {
        assert.ok(!stored.includes(form), 'in the store');
        assert.ok(!logged.includes(form), 'in the log');
      }
      assert.ok(!stored.includes(Buffer.from(secret).toString('hex').slice(12, 60)), 'as hex');
    }
  });

  it('have a last-used time, by Bearer and by HMAC, and none before', async () => {
    const { reader, full } = seed().ours;
    for (const [scheme, key] of [['key', reader] as const, ['hmac', seed().theirs.full] as const]) {
      assert.equal(await lastUsed(key.public_key), null);
      const before = Date.now();
      await server.call('GET', LEADS, { [scheme]: key });
      const after = Date.now();
      await eventually(async () => {
        const at = (await lastUsed(key.public_key))?.getTime() ?? 0;
        assert.ok(at >= before - 1 && at <= after + 1, `${before} ≤ ${at} ≤ ${after}`);
      });
    }
    const first = Number(await lastUsed(full.public_key));
    await server.call('GET', LEADS, { hmac: full });
    await eventually(async () => assert.ok(Number(await lastUsed(full.public_key)) > first));
  });

  it('have no last-used time of a request that failed authentication', async () => {
    const { full, writer } = seed().ours;
    const headers = {
      ...sign(writer, { method: 'GET', target: LEADS }),
      'x-leadwire-signature': 'f'.repeat(64),
    };
    assert.equal((await server.call('GET', LEADS, { headers })).status, 401);
    // A later use of another key is written with, or after, what came before it.
    const before = Number(await lastUsed(full.public_key));
    await server.call('GET', LEADS, { key: full });
    await eventually(async () => assert.ok(Number(await lastUsed(full.public_key)) > before));
    assert.equal(await lastUsed(writer.public_key), null);
  });
});
