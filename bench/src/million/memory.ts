import type { Leadwire } from '../leadwire.ts';
import { runLoad } from '../load.ts';
import { mebibytes, median } from '../numbers.ts';
import { bearer, createCounter, posts } from '../traffic.ts';

export type Memory = {
  posts: number;
  perSecond: number;
  /** Resident memory in MiB: before, the medians around half-way and of the last tenth, the most. */
  start: number;
  half: number;
  end: number;
  peak: number;
};

const SAMPLE_MS = 250;

/** Sends `amount` single posts of new leads over 64 connections and watches the server's memory. */
export async function watchMemory(leadwire: Leadwire, amount: number): Promise<Memory> {
  const { service, key } = leadwire;
  const start = mebibytes(service.rss());
  const samples: { sent: number; mib: number }[] = [];
  const counter = createCounter(1);
  const sample = () => samples.push({ sent: counter.value(), mib: mebibytes(service.rss()) });
  const timer = setInterval(sample, SAMPLE_MS);
  const result = await runLoad({
    port: service.port,
    connections: 64,
    connection: posts(bearer(key.secret_key), counter.next),
    expect: { status: 201, contains: '"status":"inserted"' },
    until: { amount },
  }).finally(() => clearInterval(timer));
  sample();
  const between = (from: number, to: number) =>
    median(
      samples.filter((s) => s.sent >= from * amount && s.sent <= to * amount + 1).map((s) => s.mib),
    );
  return {
    posts: result.requests,
    perSecond: result.requests / result.seconds,
    start,
    half: between(0.45, 0.55),
    end: between(0.9, 1),
    peak: Math.max(...samples.map((s) => s.mib)),
  };
}
