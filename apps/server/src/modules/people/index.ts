export type { From } from './calls.ts';
export { deriveSecrets } from './keys.ts';
export { createPeople, type People } from './people.ts';
