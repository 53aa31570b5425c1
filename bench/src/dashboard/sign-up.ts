import { readFile } from 'node:fs/promises';
import type { Leadwire } from '../leadwire.ts';

/** The dashboard's API as its owner. */
export type Owner = {
  cookie: string;
  /** Of the account's part of the API; a path goes behind it. */
  base: string;
  /** GET, or with a body POST unless told otherwise; rejects on any status but 200. `path` is that below the account. */
  ask(path: string, sent?: { method?: string; body?: object | Uint8Array }): Promise<unknown>;
};

/** Joins by the link of the first start, as its log has it. */
export async function signUp({ service, key }: Leadwire, logFile: string): Promise<Owner> {
  const token = /\/join#(\S+)/.exec(await readFile(logFile, 'utf8'))?.[1];
  const api = `http://127.0.0.1:${service.port}/dashboard/api`;
  const person = { name: 'Bench', email: 'bench@example.com', password: 'a lamp beside the river' };
  const joined = await fetch(`${api}/invitation/sign-up`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, ...person }),
  });
  if (joined.status !== 200) throw new Error(`signing up: ${joined.status}`);
  const cookie = joined.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const base = `${api}/accounts/${key.account_id}`;
  const ask: Owner['ask'] = async (path, { method, body } = {}) => {
    const isBytes = body instanceof Uint8Array;
    const answer = await fetch(`${base}/${path}`, {
      method: method ?? (body ? 'POST' : 'GET'),
      headers: {
        cookie,
        ...(body
          ? { 'Content-Type': isBytes ? 'application/octet-stream' : 'application/json' }
          : {}),
      },
      ...(body ? { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 1000)}`);
    return JSON.parse(text);
  };
  return { ask, cookie, base };
}
