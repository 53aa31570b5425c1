import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

// What is healthy takes milliseconds; what waits for a retry, or for an endpoint that is down, takes hours.
const DELAY_BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200, 86_400,
];

/**
 * What is measured of deliveries. No label holds an id or an address. Gauges but `deliveriesInFlight` tell of the whole store, whichever
 * worker is asked, and are shown only once they were looked up: a 0 always means that somebody has looked.
 */
export function createDeliveryMetrics(registry: Registry) {
  const registers = [registry];
  const gauge = (name: string, help: string) => {
    const made = new Gauge({ name, help, registers });
    made.remove();
    return made;
  };
  return {
    deliveryAttempts: new Counter({
      name: 'leadwire_delivery_attempts_total',
      help: 'Attempts by outcome (succeeded; failed: will be tried again; given_up) and by error.',
      labelNames: ['outcome', 'error'],
      registers,
    }),
    firstAttemptDelaySeconds: new Histogram({
      name: 'leadwire_delivery_first_attempt_delay_seconds',
      help: 'Time from an event to the start of the first attempt to deliver it.',
      buckets: DELAY_BUCKETS,
      registers,
    }),
    endpointSeconds: new Histogram({
      name: 'leadwire_delivery_endpoint_duration_seconds',
      help: 'Time of an attempt: name, connection, request and answer.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    }),
    deliveriesInFlight: new Gauge({
      name: 'leadwire_deliveries_in_flight',
      help: 'Attempts of this process that are on their way.',
      registers,
    }),
    deliveriesWaiting: gauge(
      'leadwire_deliveries_waiting',
      'Deliveries that wait, retries included; above 100000 an estimate.',
    ),
    deliveriesOldestDueSeconds: gauge(
      'leadwire_deliveries_due_oldest_age_seconds',
      'For how long the delivery of an active webhook that waits longest has been due; replays do not count.',
    ),
    webhooksFailing: gauge(
      'leadwire_webhooks_failing',
      'Active webhooks whose endpoint failed at the last attempt.',
    ),
    unaccountedEvents: gauge(
      'leadwire_unaccounted_events',
      'Events a webhook should get that are neither waiting for it, delivered nor given up: must be 0.',
    ),
    accountedUntilSeconds: gauge(
      'leadwire_unaccounted_events_checked_timestamp_seconds',
      'Unix time at which every event that had committed was found accounted for, or counted.',
    ),
  };
}
