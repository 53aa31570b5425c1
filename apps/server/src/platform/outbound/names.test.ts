import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createHostsFile } from './hosts-file.ts';
import { createNames, type NamesDeps } from './names.ts';

const emptyHosts = { addressesOf: async () => [] };
const never = () => new Promise<never>(() => undefined);
const notFound = async () => {
  throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
};

function open(deps: Partial<NamesDeps>) {
  return createNames({ useSystem: false, hostsFile: emptyHosts, query: notFound, ...deps });
}

describe('a name', () => {
  test('leads to all addresses of both families, IPv4 in front', async () => {
    const resolve = open({
      query: async (_, family) => (family === 4 ? ['1.1.1.1'] : ['2606::1']),
    });
    assert.deepEqual(await resolve('example.com'), ['1.1.1.1', '2606::1']);
  });

  test('with addresses of one family is found, whatever becomes of the other', async () => {
    for (const other of [never, notFound, async () => []]) {
      for (const has of [4, 6]) {
        const resolve = open({ query: async (_, family) => (family === has ? ['x'] : other()) });
        assert.deepEqual(await resolve('example.com'), ['x']);
      }
    }
  });

  test('without addresses is a failure of its own kind', async () => {
    await assert.rejects(open({})('example.com'), {
      kind: 'name_not_resolved',
      message: 'ENOTFOUND',
    });
    const empty = open({ query: async () => [] });
    await assert.rejects(empty('example.com'), { kind: 'name_not_resolved', message: 'ENODATA' });
  });

  test('that does not exist is not found by the real resolver either', async () => {
    for (const useSystem of [false, true]) {
      const resolve = createNames({ useSystem });
      await assert.rejects(resolve('no-such-name.invalid'), { kind: 'name_not_resolved' });
    }
  });

  test('that is asked for many times at once is looked up once, and anew afterwards', async () => {
    const asked: string[] = [];
    const resolve = open({
      async query(name, family) {
        asked.push(`${name} ${family}`);
        return ['1.1.1.1'];
      },
    });
    await Promise.all(['a.test', 'A.TEST', 'a.test', 'b.test'].map(resolve));
    assert.deepEqual(asked, ['a.test 4', 'a.test 6', 'b.test 4', 'b.test 6']);
    await resolve('a.test');
    assert.equal(asked.length, 6);
  });

  test('that hangs holds no other', async () => {
    const resolve = open({ query: async (name) => (name === 'ok.test' ? ['1.1.1.1'] : never()) });
    for (let n = 0; n < 1000; n++) resolve(`hangs-${n}.test`);
    assert.ok((await resolve('ok.test')).includes('1.1.1.1'));
  });

  test('that means this machine is not asked for', async () => {
    for (const name of ['localhost', 'LOCALHOST', 'app.localhost']) {
      assert.deepEqual(await open({})(name), ['127.0.0.1', '::1']);
    }
  });

  test('that the hosts file knows leads where that says', async () => {
    const hostsFile = createHostsFile(
      async () => '# 9.9.9.9 a.test\n10.0.0.1\ta.test  A2.test # b.test\n\nfd00::1 a.test\nx y\n',
    );
    const resolve = open({ hostsFile });
    assert.deepEqual(await resolve('a.test'), ['10.0.0.1', 'fd00::1']);
    assert.deepEqual(await resolve('a2.TEST'), ['10.0.0.1']);
    await assert.rejects(resolve('b.test'), { kind: 'name_not_resolved' });
  });

  test('the machine alone knows is asked of it, where that is wanted, and a few at once', async () => {
    let running = 0;
    let most = 0;
    const lookup = async () => {
      most = Math.max(most, ++running);
      await new Promise((done) => setImmediate(done));
      running--;
      return ['10.0.0.7'];
    };
    const resolve = open({ lookup, useSystem: true });
    const names = Array.from({ length: 20 }, (_, n) => `service-${n}`);
    for (const found of await Promise.all(names.map(resolve)))
      assert.deepEqual(found, ['10.0.0.7']);
    assert.equal(most, 2);
    await assert.rejects(open({ lookup })('service'), { kind: 'name_not_resolved' });
  });
});

describe('the hosts file', () => {
  test('is read again after a while and may be missing', async () => {
    let now = 0;
    let text = '10.0.0.1 a.test';
    const file = createHostsFile(
      async () => text,
      () => now,
    );
    assert.deepEqual(await file.addressesOf('a.test'), ['10.0.0.1']);
    text = '10.0.0.2 a.test';
    assert.deepEqual(await file.addressesOf('a.test'), ['10.0.0.1']);
    now = 5001;
    assert.deepEqual(await file.addressesOf('a.test'), ['10.0.0.2']);
    const missing = createHostsFile(() => Promise.reject(new Error('ENOENT')));
    assert.deepEqual(await missing.addressesOf('a.test'), []);
  });
});
