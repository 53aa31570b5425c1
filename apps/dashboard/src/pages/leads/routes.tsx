import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { accountRoute } from '../../app/routes.tsx';
import { readLeadSearch, readLeadsSearch } from './search.ts';

export const leadRoutes = [
  createRoute({
    getParentRoute: () => accountRoute,
    path: 'leads',
    validateSearch: readLeadsSearch,
    component: lazyRouteComponent(() => import('./LeadsPage.tsx'), 'LeadsPage'),
  }),
  createRoute({
    getParentRoute: () => accountRoute,
    path: 'leads/$lead',
    validateSearch: readLeadSearch,
    component: lazyRouteComponent(() => import('./LeadPage.tsx'), 'LeadPage'),
  }),
] as const;
