export { parseJson } from '@leadwire/contract/json';
export { isDeeperThan } from './depth.ts';
export { findLostNumber, quoteLostNumbers } from './numbers.ts';
