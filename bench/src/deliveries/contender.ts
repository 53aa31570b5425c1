import type { Receiver, State } from './receiver.ts';

/** Something that takes jobs and sends them to the receiver. */
export type Contender = {
  name: string;
  label: string;
  /** Where it sends to. */
  hook: string;
  /** What it signs with; undefined: it does not sign. */
  secret?: string;
  /** Hands over jobs numbered from…from+count−1; says when it began, as of nowMs(). */
  feed: (from: number, count: number) => Promise<{ startedAt: number }>;
  /** CPU seconds so far of its processes with their store, without generator and receiver. */
  cpuSeconds: () => number;
};

export type Run = {
  /** Jobs a second, from the first handed over to the last receipt. */
  rate: number;
  cpuUs: number;
  /** Requests that came more than once. */
  repeated: number;
  state: State;
};

/** Hands over `count` jobs and waits until each was received. */
export async function runContender(
  contender: Contender,
  receiver: Receiver,
  from: number,
  count: number,
): Promise<Run> {
  await receiver.reset();
  const cpu = contender.cpuSeconds();
  const [{ startedAt }, state] = await Promise.all([
    contender.feed(from, count),
    receiver.until(contender.hook, count),
  ]);
  const used = contender.cpuSeconds() - cpu;
  const seconds = (state.lastNewAt - startedAt) / 1000;
  return {
    rate: count / seconds,
    cpuUs: (used / count) * 1e6,
    repeated: state.received - state.unique,
    state,
  };
}
