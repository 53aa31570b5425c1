import { setTimeout as sleep } from 'node:timers/promises';
import type { Case, Server } from './cases.ts';
import { runLoad } from './load.ts';
import { decimals, whole } from './numbers.ts';
import type { Service } from './service.ts';

export type Round = {
  /** Leads, or requests, in a second. */
  rate: number;
  generatorCpu: number;
  /** CPU of the server process for one lead or request, in microseconds; NaN if unknown. */
  serverCpuUs: number;
};

/** Results of one case over all rounds; rounds[i] of all cases were measured side by side. */
export type Measured = { case: Case; rounds: Round[]; latencies: Float64Array[] };

const PAUSE_MS = 200;

/**
 * Measures all cases once a round, in turn, every other round backwards: what disturbs the machine
 * for a while then disturbs all cases alike. Rejects on any answer that was not expected.
 */
export async function runRounds(
  cases: Case[],
  services: Record<Server, Service>,
  times: { rounds: number; roundMs: number; warmupMs: number },
  warmedUp: () => Promise<void>,
  progress: (line: string) => void,
): Promise<Measured[]> {
  for (const entry of cases) await measure(entry, services[entry.server], times.warmupMs);
  await warmedUp();
  const results: Measured[] = cases.map((entry) => ({ case: entry, rounds: [], latencies: [] }));
  for (let round = 0; round < times.rounds; round += 1) {
    for (const result of round % 2 === 0 ? results : results.toReversed()) {
      const service = services[result.case.server];
      const { latencies, ...measured } = await measure(result.case, service, times.roundMs);
      result.rounds.push(measured);
      result.latencies.push(latencies);
      const { name } = result.case;
      const load = decimals(measured.generatorCpu, 2);
      progress(`round ${round + 1} ${name}: ${whole(measured.rate)}/s, generator CPU ${load}`);
    }
  }
  return results;
}

async function measure(entry: Case, service: Service, durationMs: number) {
  entry.prepare?.(durationMs);
  await sleep(PAUSE_MS);
  const cpu = service.cpuSeconds();
  const started = performance.now();
  const result = await runLoad({
    port: service.port,
    connections: entry.connections,
    connection: entry.traffic,
    expect: entry.expect,
    until: { durationMs },
  }).catch((cause) => {
    throw new Error(`${entry.name}: ${cause.message}`, { cause });
  });
  const rate = (result.requests * entry.leads) / result.seconds;
  const elapsed = (performance.now() - started) / 1000;
  const used = (service.cpuSeconds() ?? Number.NaN) - (cpu ?? Number.NaN);
  return {
    rate,
    generatorCpu: result.generatorCpu,
    serverCpuUs: ((used / elapsed) * 1e6) / rate,
    latencies: result.latencies,
  };
}
