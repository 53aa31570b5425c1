import type { DashboardRoute } from '../route.ts';

export const leadRoutes = {
  listLeads: { method: 'GET', path: '/accounts/:account/leads', may: 'leads.read' },
  getLead: { method: 'GET', path: '/accounts/:account/leads/:lead', may: 'leads.read' },
  editLead: { method: 'PATCH', path: '/accounts/:account/leads/:lead', may: 'leads.edit' },
  getTimeline: {
    method: 'GET',
    path: '/accounts/:account/leads/:lead/timeline',
    may: 'leads.read',
  },
  listConsents: {
    method: 'GET',
    path: '/accounts/:account/leads/:lead/consents',
    may: 'leads.read',
  },
  eraseLead: { method: 'POST', path: '/accounts/:account/leads/:lead/erase', may: 'leads.erase' },
} as const satisfies Record<string, DashboardRoute>;
