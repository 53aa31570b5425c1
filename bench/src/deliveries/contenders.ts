import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Leadwire } from '../leadwire.ts';
import { runLoad } from '../load.ts';
import type { Bench } from '../run.ts';
import { type Service, startService } from '../service.ts';
import { batches, bearer, createCounter, posts } from '../traffic.ts';
import { nowMs } from './clock.ts';
import type { Contender } from './contender.ts';
import { ask } from './control.ts';
import { postmasterOf, treeCpuSeconds } from './cpu.ts';
import { newSecret } from './post.ts';
import type { Receiver } from './receiver.ts';
import { startRedis } from './redis.ts';
import { createWebhook } from './webhooks.ts';

const BATCH = 1000;
const BATCH_CONNECTIONS = 4;
const SINGLE_CONNECTIONS = 64;

type Feed = Contender['feed'];

/** Of the services, and of `store`: a process with its children. */
const cpuOf = (services: Service[], store?: number) => () =>
  services.reduce(
    (sum, service) => sum + (service.cpuSeconds() ?? Number.NaN),
    store === undefined ? 0 : treeCpuSeconds(store),
  );

async function startBaseline(
  bench: Bench,
  script: string,
  env: Record<string, string>,
): Promise<Service> {
  const service = await startService({
    script: fileURLToPath(new URL(`./baselines/${script}`, import.meta.url)),
    env,
    logFile: path.join(bench.work, `${script}.log`),
  });
  bench.stops.push(service.stop);
  return service;
}

const feedOf =
  (service: Service, how = ''): Feed =>
  (from, count) =>
    ask(service.port, `/feed?from=${from}&count=${count}&how=${how}`);

export async function bareContender(bench: Bench, receiver: Receiver): Promise<Contender> {
  const hook = '/hook/bare';
  const service = await startBaseline(bench, 'bare-loop.ts', { BENCH_TARGET: receiver.url(hook) });
  return {
    name: 'bare',
    label: '(a) bare undici.request, 64 in flight',
    hook,
    feed: feedOf(service),
    cpuSeconds: cpuOf([service]),
  };
}

/** BullMQ on a Redis of its own, fed in two ways. */
export async function bullContenders(bench: Bench, receiver: Receiver): Promise<Contender[]> {
  const redis = await startRedis(bench.work);
  bench.stops.push(redis.stop);
  const hook = '/hook/bullmq';
  const secret = newSecret();
  const redisPort = { BENCH_REDIS_PORT: String(redis.port) };
  const producer = await startBaseline(bench, 'bullmq-producer.ts', redisPort);
  const worker = await startBaseline(bench, 'bullmq-worker.ts', {
    ...redisPort,
    BENCH_TARGET: receiver.url(hook),
    BENCH_SECRET: secret,
  });
  const common = { hook, secret, cpuSeconds: cpuOf([producer, worker], redis.pid) };
  return [
    {
      ...common,
      name: 'bullmq-bulk',
      label: '(c) BullMQ, addBulk of 1,000',
      feed: feedOf(producer, 'bulk'),
    },
    {
      ...common,
      name: 'bullmq-single',
      label: '(c) BullMQ, add from 64 loops',
      feed: feedOf(producer, 'single'),
    },
  ];
}

/** graphile-worker in a schema of its own of a PostgreSQL. */
export async function graphileContender(
  bench: Bench,
  receiver: Receiver,
  databaseUrl: string,
): Promise<Contender> {
  const hook = '/hook/graphile';
  const secret = newSecret();
  const database = { BENCH_DATABASE_URL: databaseUrl };
  const producer = await startBaseline(bench, 'graphile-producer.ts', database);
  const worker = await startBaseline(bench, 'graphile-worker.ts', {
    ...database,
    BENCH_TARGET: receiver.url(hook),
    BENCH_SECRET: secret,
  });
  return {
    name: 'graphile',
    label: '(d) graphile-worker, addJobs of 1,000',
    hook,
    secret,
    feed: feedOf(producer),
    cpuSeconds: cpuOf([producer, worker], await postmasterOf(databaseUrl)),
  };
}

/** Leadwire fed through its API: by batches of 1,000, and by single posts. */
export async function leadwireContenders(
  leadwire: Leadwire,
  receiver: Receiver,
  kind: { name: string; label: string; workers: Service[] },
): Promise<Contender[]> {
  const hook = `/hook/${kind.name}`;
  const { secret } = await createWebhook(leadwire, receiver.url(hook));
  const processes = [leadwire.service, ...kind.workers];
  const cpuSeconds = cpuOf(processes, await postmasterOf(leadwire.databaseUrl));
  const common = { hook, secret, cpuSeconds };
  return [
    {
      ...common,
      name: `${kind.name}-batch`,
      label: `(b) Leadwire, ${kind.label}, batches of 1,000`,
      feed: batchFeed(leadwire),
    },
    {
      ...common,
      name: `${kind.name}-single`,
      label: `(b) Leadwire, ${kind.label}, single posts`,
      feed: singleFeed(leadwire),
    },
  ];
}

/** Posts leads through the batch endpoint over 4 connections; count: a multiple of 1,000. */
export function batchFeed(leadwire: Leadwire): Feed {
  return async (from, count) => {
    const startedAt = nowMs();
    const requests = count / BATCH;
    await runLoad({
      port: leadwire.service.port,
      connections: Math.min(BATCH_CONNECTIONS, requests),
      connection: batches(leadwire.key.secret_key, BATCH, createCounter(from).next),
      expect: { status: 200, contains: `"inserted":${BATCH}` },
      until: { amount: requests },
    });
    return { startedAt };
  };
}

function singleFeed(leadwire: Leadwire): Feed {
  return async (from, count) => {
    const startedAt = nowMs();
    await runLoad({
      port: leadwire.service.port,
      connections: SINGLE_CONNECTIONS,
      connection: posts(bearer(leadwire.key.secret_key), createCounter(from).next),
      expect: { status: 201, contains: '"status":"inserted"' },
      until: { amount: count },
    });
    return { startedAt };
  };
}
