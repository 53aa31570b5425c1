import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from './eventually.ts';
import { freePort } from './server.ts';

const CONFIG = new URL('../../../../deploy/nginx/', import.meta.url);
// Debian keeps it where only root looks.
const PATH = [process.env.PATH, '/usr/sbin', '/usr/local/sbin'].join(delimiter);
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

const run = promisify(execFile);

export const NGINX_MISSING =
  'nginx is not installed (Debian: apt-get install nginx-light); tests of the proxy are skipped';

export type TestNginx = { url: string; stop(): Promise<void> };

/**
 * A real nginx with the files of deploy/nginx before nodes of this machine: nothing in them is changed but ports and the place
 * of the log. Null where nginx is not installed; in CI that is an error.
 * @param ports of the api nodes
 * @throws where nginx refuses the files
 */
export async function startNginx(ports: number[]): Promise<TestNginx | null> {
  const isThere = await run('nginx', ['-v'], { env: { PATH } }).then(
    () => true,
    () => false,
  );
  if (!isThere && process.env.CI) throw new Error(NGINX_MISSING);
  if (!isThere) return null;
  const directory = await mkdtemp(join(tmpdir(), 'leadwire-nginx-'));
  const port = await freePort();
  const file = join(directory, 'nginx.conf');
  await writeFile(file, await configuration(directory, port, ports));
  const args = ['-p', directory, '-c', file];
  await run('nginx', ['-t', ...args], { env: { PATH } });
  const child = spawn('nginx', args, { env: { PATH }, stdio: 'ignore' });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => void (await fetch(url)));
  return {
    url,
    async stop() {
      process.off('exit', kill);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function configuration(directory: string, port: number, ports: number[]): Promise<string> {
  const upstream = await readFile(new URL('upstream.conf', CONFIG), 'utf8');
  const server = await readFile(new URL('leadwire.conf', CONFIG), 'utf8');
  const node = / *server 127\.0\.0\.1:3000(.*;)/;
  const nodes = ports.map((each) => upstream.match(node)?.[0].replace('3000', String(each)));
  return `daemon off;
master_process off;
pid ${directory}/pid;
error_log ${directory}/error.log;
events {}
http {
${TEMPORARY.map((name) => `  ${name}_temp_path ${directory}/${name};`).join('\n')}
${upstream.replace(node, nodes.join('\n'))}
${server.replace('listen 80;', `listen 127.0.0.1:${port};`).replace('/var/log/nginx', directory)}
}
`;
}
