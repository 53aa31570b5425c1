import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseHosts } from './hosts.ts';

describe('the hosts of a DATABASE_URL', () => {
  const cases: [url: string, hosts: string[]][] = [
    ['postgres://u:p@h/db', ['h 5432']],
    ['postgresql://u:p@h:6543/db?application_name=x', ['h 6543']],
    ['postgres://u:p@h1:5433,h2:5434/db', ['h1 5433', 'h2 5434']],
    ['postgres://u:p@h1,h2:5434,h3/db', ['h1 5432', 'h2 5434', 'h3 5432']],
    [
      'postgres://u:p@[::1]:5433,[2001:db8::2],10.0.0.3:5435/db',
      ['::1 5433', '2001:db8::2 5432', '10.0.0.3 5435'],
    ],
    ['postgres://h1,h2', ['h1 5432', 'h2 5432']],
    ['postgres://u:p@/db', ['localhost 5432']],
    ['postgres:///db?host=/var/run/postgresql', ['/var/run/postgresql 5432']],
  ];
  for (const [url, hosts] of cases) {
    test(url, () =>
      assert.deepEqual(
        parseHosts(url).all.map(({ host, port }) => `${host} ${port}`),
        hosts,
      ),
    );
  }

  test('share user, password, database and settings', () => {
    const { shared } = parseHosts(
      'postgres://u:p@[::1]:5433,h2/db?application_name=x&sslmode=disable',
    );
    assert.deepEqual(
      [shared.user, shared.password, shared.database, shared.application_name, shared.ssl],
      ['u', 'p', 'db', 'x', false],
    );
  });

  test('share a password of any characters, percent-encoded', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 }).filter((one) => one.isWellFormed());
    fc.assert(
      fc.property(text, text, (user, password) => {
        const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
        const { all, shared } = parseHosts(`postgres://${login}@h1:1,[::2]:2/db`);
        assert.deepEqual([shared.user, shared.password, shared.database], [user, password, 'db']);
        assert.deepEqual(all, [
          { host: 'h1', port: 1 },
          { host: '::2', port: 2 },
        ]);
      }),
      { examples: [['u', 'p@/?#:,%[]&= ü😀']] },
    );
  });
});

describe('the current host', () => {
  test('moves on from the one that failed, round and round', () => {
    const hosts = parseHosts('postgres://h1,h2,h3/db');
    const seen = [0, 1, 2, 3].map(() => {
      const current = hosts.current();
      hosts.moveOnFrom(current);
      return current.host;
    });
    assert.deepEqual(seen, ['h1', 'h2', 'h3', 'h1']);
  });

  test('moves one step when several connections to one host fail together', () => {
    const hosts = parseHosts('postgres://h1,h2,h3/db');
    const first = hosts.current();
    for (let i = 0; i < 10; i++) hosts.moveOnFrom(first);
    assert.equal(hosts.current().host, 'h2');
  });
});
