import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withCopies } from './copies.ts';

const FILES: Record<string, string> = { 'a.py': 'one\ntwo\n', 'b.go': 'three\n' };
const read = async (path: string) => FILES[path] ?? assert.fail(path);

test('blocks that name a file become what the file holds, others stay as they are', async () => {
  const block = (info: string, text: string) => `\`\`\`${info}\n${text}\`\`\`\n`;
  const guide = (a: string, b: string) =>
    `# T\n\n${block('python file=a.py', a)}\ntext\n\n${block('sh', 'true\n')}${block('go file=b.go', b)}end\n`;
  const expected = guide('one\ntwo\n', 'three\n');
  assert.equal(await withCopies(guide('', 'old\nolder\noldest\n'), read), expected);
  assert.equal(await withCopies(expected, read), expected);
});
