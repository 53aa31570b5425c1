import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { accountRoute } from '../../app/routes.tsx';
import { readImportSearch } from './search.ts';

export const importRoutes = [
  createRoute({
    getParentRoute: () => accountRoute,
    path: 'imports',
    component: lazyRouteComponent(() => import('./ImportsPage.tsx'), 'ImportsPage'),
  }),
  createRoute({
    getParentRoute: () => accountRoute,
    path: 'imports/$import',
    validateSearch: readImportSearch,
    component: lazyRouteComponent(() => import('./ImportPage.tsx'), 'ImportPage'),
  }),
] as const;
