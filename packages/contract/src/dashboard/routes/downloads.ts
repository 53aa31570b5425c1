import type { DashboardRoute } from '../route.ts';

/** A file, streamed, instead of JSON: a link of the page points at it. */
export const downloadRoutes = {
  exportLeads: { method: 'GET', path: '/accounts/:account/leads/export', may: 'leads.export' },
  downloadImportResult: {
    method: 'GET',
    path: '/accounts/:account/imports/:import/result',
    may: 'leads.export',
  },
} as const satisfies Record<string, DashboardRoute>;
