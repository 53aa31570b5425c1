import type { Delivery } from '@leadwire/contract';

const MOVING_MS = 1_500;
const CALM_MS = 10_000;
const SOON_MS = 60_000;

/** Whether it is about to be sent. */
const isMoving = ({ next_attempt_at }: Delivery): boolean =>
  next_attempt_at !== null && Date.parse(next_attempt_at) - Date.now() < SOON_MS;

/** After how many milliseconds deliveries are worth another look. */
export const refreshMs = (deliveries: readonly Delivery[] = []): number =>
  deliveries.some(isMoving) ? MOVING_MS : CALM_MS;
