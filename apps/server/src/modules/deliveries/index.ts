export { createDeliveryLog, type DeliveryLog } from './log/index.ts';
export { createReplays, type Replays } from './replay/index.ts';
export { createSending, type Sending } from './sending/sending.ts';
export { createTestEvents, type TestEvents } from './test-event/index.ts';
export { createWake, type Wake } from './wake.ts';
export { createDeliveryWorker, type DeliveryWorker } from './worker.ts';
