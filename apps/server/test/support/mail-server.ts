import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export type MailServer = {
  /** smtp:// */
  url: string;
  /** What was sent, headers and all. */
  mails: string[];
  close(): Promise<void>;
};

/** Takes every mail (SMTP, RFC 5321, as far as a plain client needs it). */
export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    take(socket, mails);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function take(socket: Socket, mails: string[]): void {
  let text = '';
  let isMail = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  say('220 test');
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
    for (;;) {
      const end = isMail ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n');
      if (end < 0) return;
      const part = text.slice(0, end);
      text = text.slice(end + (isMail ? 5 : 2));
      if (isMail) {
        mails.push(part);
        isMail = false;
        say('250 taken');
      } else if (/^data$/i.test(part)) {
        isMail = true;
        say('354 go on');
      } else if (/^quit$/i.test(part)) socket.end('221 bye\r\n');
      else say('250 ok');
    }
  });
}
