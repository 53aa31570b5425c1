import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { childEnvironment, type Env } from '../../support/cli.ts';
import type { Command, Running } from './processes.ts';

/** Runs a program for each connection, with the connection as its stdin and stdout, as inetd, socat and nc do. */
export async function startInetd(
  [program, ...args]: Command,
  port: number,
  env: Env,
): Promise<Running> {
  let text = '';
  const serve = (socket: Socket) => {
    socket.on('error', () => undefined);
    const child = spawn(program, args, { env: childEnvironment(env) });
    child.stdin.on('error', () => undefined);
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.pipe(child.stdin);
    child.stdout.pipe(socket);
    // What it has not read when it ends, nobody reads.
    child.once('close', () => socket.destroySoon());
  };
  const server = createServer({ allowHalfOpen: true }, serve).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    output: () => text,
    async stop() {
      server.close();
      await once(server, 'close');
    },
  };
}
