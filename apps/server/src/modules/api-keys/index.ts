export { readCredentials } from './credentials.ts';
export { missingAuth } from './errors.ts';
export { type ApiKeys, createApiKeys, type NewApiKey } from './keys.ts';
export {
  type Credentials,
  createKeyVerifier,
  type KeyVerifier,
  type VerifiedKey,
} from './verify.ts';
