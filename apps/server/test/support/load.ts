import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { newLead } from './new-lead.ts';
import type { Credentials } from './sign.ts';

export type Failure = {
  /** Of process.hrtime in ms: when the last byte was handed to the socket, or null if it never was. */
  sentAt: number | null;
  code: string;
};

export type Load = {
  /** External ids of the leads that were answered 201. */
  acknowledged: string[];
  /** Answers other than 201. */
  refused: { sentAt: number; status: number; text: string; headers: IncomingHttpHeaders }[];
  /** Requests that got no answer. */
  failures: Failure[];
  /** Ends every sender after the request it is at. */
  end(): Promise<void>;
};

const AT_MOST_MS = 60_000;

type LoadOptions = { url: string; key: Credentials; senders: number; pauseMs?: number };

/** Posts new leads on `senders` keep-alive connections, one after the other on each, until `end()`. */
export function startLoad({ url, key, senders, pauseMs = 0 }: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: senders });
  const load = { acknowledged: [], refused: [], failures: [] } as Omit<Load, 'end'>;
  let isOver = false;
  // A test that fails before it ends the load must not keep its file running.
  setTimeout(() => {
    isOver = true;
  }, AT_MOST_MS).unref();
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  async function sender(): Promise<void> {
    while (!isOver) {
      const answered = await post(agent, url, key, load);
      // Without it a server that is down would be hammered.
      await pause(answered ? pauseMs : 20);
    }
  }

  const all = Promise.all(Array.from({ length: senders }, sender));
  return {
    ...load,
    async end() {
      isOver = true;
      await all;
      agent.destroy();
    },
  };
}

function post(
  agent: Agent,
  url: string,
  key: Credentials,
  load: Omit<Load, 'end'>,
): Promise<boolean> {
  const lead = newLead();
  const { hostname, port } = new URL(url);
  const headers = { authorization: `Bearer ${key.secret_key}` };
  const path = '/api/v1/insertion/leads';
  return new Promise((resolve) => {
    let sentAt: number | null = null;
    const outgoing = request({ agent, host: hostname, port, path, method: 'POST', headers });
    outgoing.setTimeout(25_000, () => outgoing.destroy(new Error('no answer in time')));
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      load.failures.push({ sentAt, code: error.code ?? error.message });
      resolve(false);
    });
    outgoing.on('response', (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('error', () => undefined);
      incoming.on('end', () => {
        const status = incoming.statusCode ?? 0;
        if (status === 201) load.acknowledged.push(lead.external_lead_id);
        else load.refused.push({ sentAt: sentAt ?? 0, status, text, headers: incoming.headers });
        resolve(true);
      });
    });
    outgoing.on('finish', () => {
      sentAt = performance.now();
    });
    outgoing.end(JSON.stringify(lead));
  });
}
