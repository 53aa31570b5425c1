import type { DashboardRoute } from '../route.ts';

export const formRoutes = {
  listForms: { method: 'GET', path: '/accounts/:account/forms', may: 'forms.read' },
  createForm: { method: 'POST', path: '/accounts/:account/forms', may: 'forms.change' },
  getForm: { method: 'GET', path: '/accounts/:account/forms/:form', may: 'forms.read' },
  changeForm: { method: 'PATCH', path: '/accounts/:account/forms/:form', may: 'forms.change' },
  getEmbedding: {
    method: 'GET',
    path: '/accounts/:account/forms/:form/embedding',
    may: 'forms.read',
  },
  listFormLog: { method: 'GET', path: '/accounts/:account/forms/:form/log', may: 'forms.read' },
  makeGoogleKey: {
    method: 'POST',
    path: '/accounts/:account/forms/:form/google-key',
    may: 'forms.change',
  },
  endGoogleKey: {
    method: 'DELETE',
    path: '/accounts/:account/forms/:form/google-key',
    may: 'forms.change',
  },
} as const satisfies Record<string, DashboardRoute>;
