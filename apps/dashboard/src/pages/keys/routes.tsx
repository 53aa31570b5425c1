import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { accountRoute } from '../../app/routes.tsx';
import { readKeySearch } from './search.ts';

export const keyRoutes = [
  createRoute({
    getParentRoute: () => accountRoute,
    path: 'keys',
    component: lazyRouteComponent(() => import('./KeysPage.tsx'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: () => accountRoute,
    path: 'keys/$key',
    validateSearch: readKeySearch,
    component: lazyRouteComponent(() => import('./KeyPage.tsx'), 'KeyPage'),
  }),
] as const;
