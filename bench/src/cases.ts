import { externalId, NUMBER } from './lead.ts';
import type { Key } from './leadwire.ts';
import type { Load } from './load.ts';
import type { Group } from './options.ts';
import {
  BY_ID,
  batches,
  bearer,
  type Counter,
  createCounter,
  createCycle,
  LEADS_PATH,
  posts,
  reads,
  signedPosts,
  type Traffic,
} from './traffic.ts';

export type Server = 'bare' | 'leadwire' | 'reference';

export type Case = {
  /** Unique; results and targets refer to it. */
  name: string;
  label: string;
  server: Server;
  connections: number;
  /** Leads in one request. */
  leads: number;
  traffic: Traffic;
  expect: Load['expect'];
  /** Run before each measurement, outside of it. */
  prepare?: (durationMs: number) => void;
};

export const BATCH_SIZE = 1000;
/** Leads that are there before the cases start: half of them is only read, half is patched. */
export const SEEDED = 10_000;
export const FIRST_NUMBER = 1;

const INSERTED = { status: 201, contains: '"status":"inserted"' };
const SIGNED_A_SECOND = 25_000;

/** `ids` holds the UUID of each seeded lead, at the index of its number. */
export function createCases(
  groups: Group[],
  key: Key,
  referenceKey: string,
  ids: string[],
): Case[] {
  const counter = createCounter(FIRST_NUMBER + SEEDED);
  const has = (group: Group) => groups.includes(group);
  const small = has('post') || has('dedupe') || has('patch') || has('get') || has('list');
  return [
    ...(small ? [bare(64, counter)] : []),
    ...(has('post') ? [bare(256, counter), ...newLeads(key, referenceKey, counter)] : []),
    ...knownLeads(key).filter((entry) => has(entry.name === 'dedupe' ? 'dedupe' : 'patch')),
    ...readCases(key, ids).filter((entry) => has(entry.name === 'list' ? 'list' : 'get')),
    ...(has('batch') ? [batchCase(key, counter)] : []),
  ];
}

function bare(connections: number, counter: Counter): Case {
  return {
    name: `bare-${connections}`,
    label: '(a) bare Fastify, validate and echo',
    server: 'bare',
    connections,
    leads: 1,
    traffic: posts({}, counter.next),
    expect: { status: 200, contains: '"external_lead_id"' },
  };
}

function newLeads(key: Key, referenceKey: string, counter: Counter): Case[] {
  const signed = signedPosts(key, counter);
  const leadwire = { server: 'leadwire' as const, leads: 1, expect: INSERTED };
  const cases: Case[] = [64, 256].flatMap((connections) => [
    {
      ...leadwire,
      name: `post-${connections}`,
      label: '(b) Leadwire POST, new leads',
      connections,
      traffic: posts(bearer(key.secret_key), counter.next),
    },
    {
      ...leadwire,
      name: `reference-${connections}`,
      label: '(d) Express + zod + pg, new leads',
      server: 'reference' as const,
      connections,
      traffic: posts(bearer(referenceKey), counter.next),
    },
  ]);
  return [
    ...cases,
    {
      ...leadwire,
      name: 'post-hmac-256',
      label: '(b) the same, signed with HMAC',
      connections: 256,
      traffic: signed,
      prepare: (durationMs) => signed.sign((SIGNED_A_SECOND * durationMs) / 1000),
    },
  ];
}

function knownLeads(key: Key): Case[] {
  const revision = createCounter(1);
  const middle = FIRST_NUMBER + SEEDED / 2;
  const unchanged = createCycle(FIRST_NUMBER, middle);
  const changed = createCycle(middle, FIRST_NUMBER + SEEDED);
  const headers = bearer(key.secret_key);
  const common = { server: 'leadwire' as const, connections: 64, leads: 1 };
  return [
    {
      ...common,
      name: 'dedupe',
      label: '(c) POST, deduped',
      traffic: posts(headers, unchanged),
      expect: { status: 200, contains: '"status":"deduped"' },
    },
    {
      ...common,
      name: 'patch',
      label: '(c) POST, patched',
      traffic: posts(headers, changed, revision.next),
      expect: { status: 200, contains: '"status":"patched"' },
    },
  ];
}

function readCases(key: Key, ids: string[]): Case[] {
  const number = createCycle(FIRST_NUMBER, FIRST_NUMBER + SEEDED);
  const common = { server: 'leadwire' as const, connections: 64, leads: 1 };
  const expect = { status: 200, contains: '"external_lead_id":"bench-' };
  const secret = key.secret_key;
  return [
    {
      ...common,
      name: 'get-id',
      label: '(c) GET one, by id',
      traffic: reads(secret, BY_ID, number, ids),
      expect,
    },
    {
      ...common,
      name: 'get-external',
      label: '(c) GET one, by external id',
      traffic: reads(secret, `${LEADS_PATH}/${externalIdMark}`, number),
      expect,
    },
    {
      ...common,
      name: 'list',
      label: '(c) list of 25',
      traffic: reads(secret, `${LEADS_PATH}?limit=25`, number),
      expect: { status: 200, contains: '"nextCursor":"' },
    },
  ];
}

const externalIdMark = externalId(0).slice(0, -NUMBER.length) + NUMBER;

function batchCase(key: Key, counter: Counter): Case {
  return {
    name: 'batch',
    label: `(c) batch of ${BATCH_SIZE}, new leads; leads/s`,
    server: 'leadwire',
    connections: 4,
    leads: BATCH_SIZE,
    traffic: batches(key.secret_key, BATCH_SIZE, counter.next),
    expect: { status: 200, contains: `"inserted":${BATCH_SIZE}` },
  };
}
