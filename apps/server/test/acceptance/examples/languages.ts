import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Env } from '../../support/cli.ts';
import { startInetd } from './inetd.ts';
import { type Command, type Running, run, start } from './processes.ts';
import { signInNode } from './sign-in-node.ts';
import { partsOf, type SigningVector } from './vectors.ts';

/** The examples of one language. */
export type Language = {
  name: string;
  /** The programs that it needs. */
  needs: string[];
  /** Before anything else: what must be built. */
  prepare?: () => Promise<void>;
  /** Sends a lead; an external id may follow. */
  send: Command;
  /** Starts the receiver. */
  receive: (port: number, env: Env) => Promise<Running>;
  /** Signs with the example's own function; not there where the example has none. */
  sign?: (vectors: SigningVector[]) => Promise<string[]>;
};

const EXAMPLES = fileURLToPath(new URL('../../../../../examples/', import.meta.url));
const example = (path: string) => join(EXAMPLES, path);

/** Where the programs of Go are built to. */
const built = mkdtempSync(join(tmpdir(), 'leadwire-examples-'));
process.once('exit', () => rmSync(built, { recursive: true, force: true }));

const startWith =
  (...command: Command) =>
  (port: number, env: Env) =>
    start(command, port, env);

/** Runs a driver that reads the vectors as JSON on stdin and prints a signature a line. */
const signWith =
  (...command: Command) =>
  async (vectors: SigningVector[]): Promise<string[]> => {
    const rows = vectors.map(({ target, ...rest }) => ({ ...rest, ...partsOf(target) }));
    const { code, stdout, stderr } = await run(command, { input: JSON.stringify(rows) });
    if (code !== 0) throw new Error(stderr || stdout);
    return stdout.trim().split('\n');
  };

const PYTHON = `
import json, sys
sys.path.insert(0, sys.argv[1])
from send_lead import sign
for v in json.loads(sys.stdin.buffer.read()):
    print(sign(v["secret_key"], v["timestamp"], v["method"], v["path"], v["query"], v["body"].encode()))`;
const PHP = `
require $argv[1];
foreach (json_decode(stream_get_contents(STDIN), true) as $v)
    echo sign($v['secret_key'], $v['timestamp'], $v['method'], $v['path'], $v['query'], $v['body']), "\\n";`;
const RUBY = `
require ARGV.fetch(0)
JSON.parse($stdin.binmode.read).each do |v|
  puts sign(*v.values_at("secret_key", "timestamp", "method", "path", "query", "body"))
end`;
const GO = `package main
import ("encoding/json"; "fmt"; "os"; "testing")
func TestMain(m *testing.M) {
	var vectors []map[string]string
	if err := json.NewDecoder(os.Stdin).Decode(&vectors); err != nil { panic(err) }
	for _, v := range vectors {
		fmt.Println(sign(v["secret_key"], v["timestamp"], v["method"], v["path"], v["query"], []byte(v["body"])))
	}
}`;

/** The functions of the script alone, which has no use for being read by another one. */
const SHELL = `set -eu
eval "$(sed -n '/^sha256()/p; /^sign()/,/^}/p' "$1")"
shift
sign "$@"`;

async function signInShell(vectors: SigningVector[]): Promise<string[]> {
  const signatures: string[] = [];
  for (const { secret_key, timestamp, method, target, body } of vectors) {
    const { path, query } = partsOf(target);
    const args = [example('shell/send-lead.sh'), secret_key, timestamp, method, path, query];
    const { stdout, stderr } = await run(['sh', '-c', SHELL, 'sh', ...args], { input: body });
    signatures.push(stdout.trim() || stderr);
  }
  return signatures;
}

async function buildGo(): Promise<void> {
  const commands: Command[] = ['send-lead', 'verify-webhook'].map((name) => {
    cpSync(example(`go/${name}/main.go`), join(built, name, 'main.go'));
    return ['go', 'build', '-o', join(built, `${name}.out`), join(built, name, 'main.go')];
  });
  writeFileSync(join(built, 'send-lead', 'main_test.go'), GO);
  const folder = join(built, 'send-lead');
  const test = ['main.go', 'main_test.go'].map((name) => join(folder, name));
  commands.push(['go', 'test', '-c', '-o', join(built, 'sign.out'), ...test]);
  for (const command of commands) {
    const { code, stderr, stdout } = await run(command, { cwd: built, env: { CGO_ENABLED: '0' } });
    if (code !== 0) throw new Error(`${command.join(' ')}: ${stderr}${stdout}`);
  }
}

export const languages: Language[] = [
  {
    name: 'shell',
    needs: ['sh', 'curl', 'openssl'],
    send: ['sh', example('shell/send-lead.sh')],
    receive: (port, env) => startInetd(['sh', example('shell/verify-webhook.sh')], port, env),
    sign: signInShell,
  },
  {
    name: 'Node',
    needs: ['node'],
    send: ['node', example('node/send-lead.mjs')],
    receive: startWith('node', example('node/verify-webhook.mjs')),
    sign: signInNode,
  },
  {
    name: 'TypeScript with the SDK',
    needs: ['node'],
    send: ['node', example('sdk/send-lead.mts')],
    receive: startWith('node', example('sdk/verify-webhook.mts')),
  },
  {
    name: 'Python',
    needs: ['python3'],
    send: ['python3', example('python/send_lead.py')],
    receive: startWith('python3', example('python/verify_webhook.py')),
    sign: signWith('python3', '-c', PYTHON, example('python')),
  },
  {
    name: 'PHP',
    needs: ['php'],
    send: ['php', example('php/send-lead.php')],
    receive: (port, env) =>
      start(['php', '-S', `127.0.0.1:${port}`, example('php/verify-webhook.php')], port, env),
    sign: signWith('php', '-r', PHP, example('php/send-lead.php')),
  },
  {
    name: 'Ruby',
    needs: ['ruby'],
    send: ['ruby', example('ruby/send-lead.rb')],
    receive: startWith('ruby', example('ruby/verify-webhook.rb')),
    sign: signWith('ruby', '-e', RUBY, example('ruby/send-lead.rb')),
  },
  {
    name: 'Go',
    needs: ['go'],
    prepare: buildGo,
    send: [join(built, 'send-lead.out')],
    receive: startWith(join(built, 'verify-webhook.out')),
    sign: signWith(join(built, 'sign.out')),
  },
];
