import { type Clock, formatMicros } from '../../../platform/clock/index.ts';

const KEPT_MICROS = 7 * 24 * 3_600_000_000;

/** Until when a file is kept that is uploaded, or whose import ends, now. */
export const fileUntil = (clock: Clock): string => formatMicros(clock.nowMicros() + KEPT_MICROS);
