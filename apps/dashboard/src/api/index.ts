export { type Answer, addressOf, type CallInput, call } from './call.ts';
export { ApiError, fieldErrors, isApiError, isPassing, isSignedOut } from './errors.ts';
export {
  apiQuery,
  type ChangeName,
  type ChangeOptions,
  type ReadName,
  refresh,
  useApi,
  useChange,
} from './hooks.ts';
export { useLive } from './live.ts';
export type { Changing, LiveState } from './live-stream.ts';
