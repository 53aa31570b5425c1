import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkTargetUrl } from './index.ts';
import { readTarget } from './target.ts';

const strict = (url: string) => checkTargetUrl(url, { allowPrivate: false });
const lenient = (url: string) => checkTargetUrl(url, { allowPrivate: true });

describe('a URL to send to', () => {
  const NO_URL = 'must be an absolute http or https URL';

  test('is an absolute http or https URL, as it is written', () => {
    const others = [
      ...['', 'example.com', '/hook', '//example.com', 'ftp://example.com/', 'file:///etc/passwd'],
      ...[
        'javascript:alert(1)',
        'https://',
        'https:example.com',
        'https:/example.com',
        'https:\\\\a.b',
      ],
      ...[
        ' https://example.com',
        'https://example.com ',
        'https://exa\nmple.com',
        'https://a.b/\t',
      ],
      ...[
        'https://exam ple.com',
        'https://a.b/\u0000',
        'https://a.b/\ud800',
        'https://[::1',
        'https://a.b:x',
      ],
      ...[
        'https://a.b:65536',
        'https://[fe80::1%25eth0]/',
        'https://256.1.1.1/',
        'https://a.b\\@c.d/',
      ],
    ];
    for (const url of others) {
      assert.equal(strict(url), NO_URL, url);
      assert.equal(lenient(url), NO_URL, url);
    }
  });

  test('is at most 2048 characters long', () => {
    const long = `https://example.com/${'a'.repeat(2028)}`;
    assert.equal(strict(long), null);
    assert.equal(strict(`${long}a`), 'must be at most 2048 characters');
  });

  test('has no credentials and no port 0', () => {
    for (const check of [strict, lenient]) {
      for (const user of ['a', 'a:b', ':b', 'example.org%2F']) {
        assert.equal(check(`https://${user}@example.com/`), 'must not contain credentials');
      }
      assert.equal(check('https://example.com:0/'), 'must not have port 0');
    }
  });

  test('is https, unless private targets are allowed', () => {
    assert.equal(strict('http://example.com/'), 'must be an https URL');
    assert.equal(strict('HTTPS://EXAMPLE.com:8443/hook?a=b'), null);
    assert.equal(lenient('http://example.com/'), null);
  });

  test('names no private address in any spelling, unless private targets are allowed', () => {
    const hosts = [
      ...['127.0.0.1', '127.1', '2130706433', '0x7f.0x0.0x0.0x1', '0177.1', '0', '127.0.0.1.'],
      ...['10.1.2.3', '192.168.1.1', '169.254.169.254', '100.64.0.1', '①⑦②.16.0.1', '0xA9FEA9FE'],
      ...['[::1]', '[::]', '[::ffff:10.0.0.1]', '[fd00::1]', '[fe80::1]', '[64:ff9b::10.0.0.1]'],
      ...['localhost', 'LocalHost', 'localhost.', 'a.b.localhost', 'a.localhost.'],
    ];
    for (const host of hosts) {
      const said = strict(`https://${host}/`);
      assert.equal(said, 'must not point to a private or reserved address', host);
      assert.equal(lenient(`http://${host}:8080/`), null, host);
    }
  });

  test('names a host that the world knows, unless private targets are allowed', () => {
    for (const host of ['intranet', 'db.', 'metadata']) {
      assert.equal(strict(`https://${host}/`), 'must have a fully qualified host name', host);
      assert.equal(lenient(`http://${host}/`), null, host);
    }
    for (const host of [
      'example.com',
      'example.com.',
      'müller.example',
      '8.8.8.8',
      '[2606:4700::1]',
    ]) {
      assert.equal(strict(`https://${host}/`), null, host);
    }
  });
});

test('a target is read from a URL as it is dialled and sent', () => {
  assert.deepEqual(readTarget('https://EXAMPLE.com./a b?c=ü#d'), {
    ...{ origin: 'https://example.com.', isSecure: true, host: 'example.com', port: 443 },
    path: '/a%20b?c=%C3%BC',
  });
  assert.deepEqual(readTarget('http://[::1]:8080'), {
    ...{ origin: 'http://[::1]:8080', isSecure: false, host: '::1', port: 8080, path: '/' },
  });
});
