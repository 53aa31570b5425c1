/** What the service makes of values before it stores them: for the service, and for who computes content hashes. */
export { isObject, mergePatch } from './merge-patch.ts';
export { normalizePhone } from './phone.ts';
export { normalizeTimestamp } from './timestamp.ts';
