export {
  type Attempt,
  type AttemptInput,
  type AttemptResult,
  createAttempt,
} from './attempt.ts';
export { createSending, type Sending } from './sending.ts';
export { type Signed, signature, signatureHeaders } from './signature.ts';
