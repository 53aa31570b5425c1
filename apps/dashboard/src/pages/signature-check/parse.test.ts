import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseRequest, shellWords } from './parse.ts';

const PARTS = {
  method: 'POST',
  target: '/api/v1/insertion/leads?x=1',
  publicKey: 'lwpk_a',
  timestamp: '1790000000',
  signature: 'ab12',
  body: '{"a": "it\'s"}',
};

describe('a pasted request is taken apart', () => {
  test('as raw HTTP, with line breaks of either kind, its body to the last byte', () => {
    const head = [
      'POST /api/v1/insertion/leads?x=1 HTTP/1.1',
      'Host: leads.example',
      'x-leadwire-public-key: lwpk_a',
      'X-Leadwire-Timestamp:1790000000',
      'X-Leadwire-Signature:  ab12 ',
    ];
    for (const end of ['\n', '\r\n']) {
      const text = [...head, '', PARTS.body].join(end);
      assert.deepEqual(parseRequest(text), PARTS);
      assert.equal(parseRequest(`${text}\n`)?.body, `${PARTS.body}\n`);
    }
    const counted = `POST / HTTP/1.1\nContent-Length: 2\n\nhé`;
    assert.equal(parseRequest(`${counted}\n`)?.body, 'hé\n');
    assert.equal(parseRequest(`${counted.replace('2', '3')}\n`)?.body, 'hé');
    assert.deepEqual(parseRequest(`\n\n${head.join('\n')}`), { ...PARTS, body: '' });
  });

  test('as a curl command of several lines with quotes of every kind', () => {
    const text = `curl -i -X POST 'https://leads.example:8443/api/v1/insertion/leads?x=1#top' \\
      -H "X-Leadwire-Public-Key: lwpk_a" \\
      --header='X-Leadwire-Timestamp: 1790000000' \\
      -H X-Leadwire-Signature:\\ ab12 -m 5 --data-binary '{"a": "it'\\''s"}'`;
    assert.deepEqual(parseRequest(text), PARTS);
  });

  test('as curl chooses the method: POST with a body, GET without', () => {
    assert.equal(parseRequest('curl http://h/a -d x')?.method, 'POST');
    assert.equal(parseRequest('curl http://h/a')?.method, 'GET');
    assert.equal(parseRequest('curl -XPATCH http://h/a -d x')?.method, 'PATCH');
    assert.equal(parseRequest('$ curl http://h')?.target, '/');
  });

  test('and what is neither is said to be neither', () => {
    for (const text of ['', 'hello', '{"a":1}', 'curl -i']) assert.equal(parseRequest(text), null);
  });
});

test('words are split as a shell splits them', () => {
  assert.deepEqual(shellWords(`a 'b c' "d \\"e\\" $f" $'g\\nh' i\\ j k\\\nl "" m$n`), [
    ...['a', 'b c', 'd "e" $f', 'g\nh', 'i j', 'kl', '', 'm$n'],
  ]);
});
