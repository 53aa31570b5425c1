import type { Answer, Call, CallOptions } from './call.ts';
import { cliJson, type Env } from './cli.ts';

const API = '/dashboard/api';

/** A browser without a window: keeps its cookies, and sends the headers that tell where a request comes from. */
export type Visitor = {
  /** `path` below /dashboard/api. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** The header Cookie as it would be sent now. */
  cookie(): string;
};

type Server = { call: Call };

/** @param cookie of a seeded person, e.g. `seed().people.owner.cookie`; absent: nobody */
export function visitor({ call }: Server, cookie = ''): Visitor {
  const jar = new Map<string, string>();
  const keep = (pair: string) => {
    const at = pair.indexOf('=');
    if (at > 0) jar.set(pair.slice(0, at), pair.slice(at + 1));
  };
  cookie.split('; ').forEach(keep);
  const sent = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    cookie: sent,
    async call(method, path, options = {}) {
      const headers = { cookie: sent() || undefined, 'sec-fetch-site': 'same-origin' };
      const answer = await call(method, `${API}${path}`, {
        ...options,
        headers: { ...headers, ...options.headers },
      });
      for (const line of answer.headers['set-cookie'] ?? []) {
        const [pair = ''] = line.split(';');
        if (/;\s*max-age=0/i.test(line)) jar.delete(pair.slice(0, pair.indexOf('=')));
        else keep(pair);
      }
      return answer;
    },
  };
}

export const PASSWORD = 'a lamp beside the river';

/** The token of a link that somebody joins or resets a password with. */
export const tokenOf = (link: string): string => link.slice(link.indexOf('#') + 1);

/** Joins by a link as a new person. @param link the whole link, or its token */
export async function signUp(
  server: Server,
  person: { link: string; name?: string; email?: string; password?: string },
): Promise<Visitor & { accountId: string }> {
  const { link, name = 'Ada Lovelace', email = 'ada@example.com', password = PASSWORD } = person;
  const body = { token: tokenOf(link), name, email, password };
  const who = visitor(server);
  const answer = await who.call('POST', '/invitation/sign-up', { body });
  if (answer.status !== 200) throw new Error(`Nobody signed up: ${answer.status} ${answer.text}`);
  return { ...who, accountId: answer.json.account_id };
}

/** Makes a link with the command line. */
export async function invite(
  env: Env,
  { account, role, email }: { account: string; role: string; email?: string },
): Promise<string> {
  const args = ['members', 'invite', '--account', account, '--role', role];
  const { link } = await cliJson(email ? [...args, '--email', email] : args, env);
  return link;
}
