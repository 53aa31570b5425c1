export { readCredentials } from './credentials.ts';
export { missingAuth } from './errors.ts';
export { type ApiKeys, createApiKeys, type NewApiKey } from './keys.ts';
export { findSealedWith, type SealedWith } from './repository/sealed-with.ts';
export { createSignatureChecker, type SignatureChecker } from './signature-check/index.ts';
export { readNewKey } from './validate.ts';
export {
  type Credentials,
  createKeyVerifier,
  type KeyVerifier,
  type VerifiedKey,
} from './verify.ts';
