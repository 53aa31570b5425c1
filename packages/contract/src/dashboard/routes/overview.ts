import type { DashboardRoute } from '../route.ts';

/** Figures, and the stream that says when they have changed. */
export const overviewRoutes = {
  getOverview: { method: 'GET', path: '/accounts/:account/overview', may: 'overview.read' },
  getAttention: { method: 'GET', path: '/accounts/:account/attention', may: 'overview.read' },
} as const satisfies Record<string, DashboardRoute>;

/** Server-sent events instead of JSON. */
export const streamRoutes = {
  watchAccount: { method: 'GET', path: '/accounts/:account/live', may: 'overview.read' },
} as const satisfies Record<string, DashboardRoute>;
