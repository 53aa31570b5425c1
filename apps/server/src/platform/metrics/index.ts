import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createDeliveryMetrics } from './deliveries.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Everything that GET /metrics shows, in the text format of Prometheus. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    buildInfo: new Gauge({
      name: 'leadwire_build_info',
      help: 'Always 1; the label says which version answers.',
      labelNames: ['version'],
      registers,
    }),
    requests: new Counter({
      name: 'leadwire_http_requests_total',
      help: 'Requests by route, method and status.',
      labelNames: ['route', 'method', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'leadwire_http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its answer.',
      labelNames: ['route'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
      registers,
    }),
    leads: new Counter({
      name: 'leadwire_leads_total',
      help: 'Accepted leads by outcome: inserted, patched, deduped.',
      labelNames: ['outcome'],
      registers,
    }),
    rateLimited: new Counter({
      name: 'leadwire_rate_limited_total',
      help: 'Requests refused with 429, by reason: key, address.',
      labelNames: ['reason'],
      registers,
    }),
    writeBatchSize: new Histogram({
      name: 'leadwire_write_batch_size',
      help: 'Rows written by one statement.',
      labelNames: ['statement'],
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
      registers,
    }),
    storeSeconds: new Histogram({
      name: 'leadwire_store_duration_seconds',
      help: 'Time of one statement at the store, retries included.',
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    ...createDeliveryMetrics(registry),
  };
}
