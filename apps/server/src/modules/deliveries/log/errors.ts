import { type AppError, conflict, invalid } from '../../../platform/errors/index.ts';

export const webhookInactive = (): AppError =>
  conflict(
    'The webhook is inactive, so that nothing is sent to it. Activate it first: on the dashboard, or PATCH it with {"active": true}.',
  );

export const badParameter = (path: string, message: string): AppError =>
  invalid([{ path, code: 'format', message: `${path} ${message}` }]);
